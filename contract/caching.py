"""ETags: what an answer says of its content, and whether the client has it already.

@extend_schema(
    parameters=[IF_NONE_MATCH, ETAG],
    responses={200: GameSerializer} | NOT_MODIFIED,
)
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.request import Request

MAX_AGE_SECONDS: Final = 300

IF_NONE_MATCH: Final = OpenApiParameter(
    name="If-None-Match",
    location=OpenApiParameter.HEADER,
    required=False,
    type=str,
    description="The `ETag` of what the client has.",
)
ETAG: Final = OpenApiParameter(
    name="ETag",
    location=OpenApiParameter.HEADER,
    required=True,
    type=str,
    description="Of what is answered; for `If-None-Match`.",
    response=[200, 304],
)
NOT_MODIFIED: Final[dict[Any, Any]] = {
    304: OpenApiResponse(description="The client has what would be answered.")
}


def is_known(request: HttpRequest | Request, etag: str) -> bool:
    """Whether `If-None-Match` names this ETag, in its strong or weak spelling, or any (`*`).

    RFC 9110, 13.1.2. Other preconditions say nothing to a service whose changes name their turn.
    """
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return known == ["*"] or etag in {tag.removeprefix("W/") for tag in known}


def public_answer(
    request: HttpRequest | Request, body: bytes, *, content_type: str, language: str = ""
) -> HttpResponse:
    """The body, or 304; for everybody's cache."""
    etag = f'"{language}{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": f"public, max-age={MAX_AGE_SECONDS}"}
    if is_known(request, etag):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(body, content_type=content_type, headers=headers)
