"""What every operation says in the OpenAPI document: its problems, and the header for retries.

@extend_schema(
    operation_id="join_session",
    parameters=[IDEMPOTENCY_KEY],
    request=JoinSessionSerializer,
    responses={200: SessionSerializer}
    | problems(BAD_BODY, BAD_KEY, 401, 404, {409: ["session_finished"]}),
)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework import serializers

PROBLEM_MEDIA_TYPE = "application/problem+json"

# What a status means where an operation says no more about it.
USUAL_CODES: dict[int, str] = {
    400: "invalid_input",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
}
# What any operation with a body can be refused with, and any that takes an `Idempotency-Key`.
BAD_BODY: dict[int, Sequence[str]] = {
    400: ["malformed_json", "invalid_input"],
    413: ["payload_too_large"],
    415: ["unsupported_media_type"],
}
BAD_KEY: dict[int, Sequence[str]] = {
    400: ["invalid_idempotency_key"],
    422: ["idempotency_key_reused"],
}

IDEMPOTENCY_KEY = OpenApiParameter(
    name="Idempotency-Key",
    type={
        "type": "string",
        "minLength": 1,
        "maxLength": 255,
        "pattern": "^[!-~]([ -~]*[!-~])?$",
    },
    location=OpenApiParameter.HEADER,
    required=False,
    description=(
        "Printable ASCII of the client's choice, without spaces at its ends. The same key with the "
        "same body gives the first answer again and does nothing; with another body it is refused. "
        "Kept for 24 hours or more."
    ),
)

SAVED_AS = OpenApiParameter(
    name="Content-Disposition",
    type=str,
    location=OpenApiParameter.HEADER,
    required=True,
    description="The name to save it under.",
    response=[200],
)


class FieldErrorSerializer(serializers.Serializer[Any]):
    """What is wrong with one field of the input."""

    field = serializers.CharField(
        help_text="Path of the field, like `seats.0.kind`; empty for the body as a whole."
    )
    code = serializers.CharField(help_text="Stable machine word.")
    detail = serializers.CharField(help_text="For people.")


class ProblemSerializer(serializers.Serializer[Any]):
    """Why a request was refused (RFC 9457). Nothing was changed."""

    type = serializers.CharField(help_text="A URN made of the code.")
    title = serializers.CharField(help_text="For people, in the language of Accept-Language.")
    status = serializers.IntegerField(help_text="The HTTP status again.")
    detail = serializers.CharField(help_text="For people, in the language of Accept-Language.")
    # The top layer knows the codes and the state (config.schema).
    code = serializers.CharField(help_text="Stable machine word; the operation lists its own.")
    request_id = serializers.CharField(help_text="To name in a bug report.")
    errors: Any = FieldErrorSerializer(
        many=True, help_text="What is wrong with the input, by field."
    )
    params = serializers.DictField(help_text="Facts of the refusal that a client can show.")
    state = serializers.DictField(
        required=False, help_text="On a refused move (409): the caller's fresh state."
    )


def problems(*refusals: int | Mapping[int, Sequence[str]]) -> dict[Any, Any]:
    """An operation's refusals, to be merged into its `responses`.

    A status stands for its usual code; a mapping names the codes of each status. The media type is
    said by the top layer: beside a status here, drf-spectacular would no longer know a list as one.
    """
    codes: dict[int, dict[str, None]] = {}
    for refusal in refusals:
        named = {refusal: [USUAL_CODES[refusal]]} if isinstance(refusal, int) else refusal
        for status, names in named.items():
            codes.setdefault(status, {}).update(dict.fromkeys(names))
    return {
        status: OpenApiResponse(
            ProblemSerializer,
            description="Refused: " + ", ".join(f"`{name}`" for name in codes[status]),
        )
        for status in sorted(codes)
    }


NO_CONTENT = OpenApiResponse(description="Done; there is no body.")
