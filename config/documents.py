"""The OpenAPI document and the pages that show it: all from here, nothing from the net."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.views import SpectacularRedocView, SpectacularSwaggerView

from contract.caching import public_answer

# The browser itself refuses what a bundle would load from elsewhere.
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:"
)


@cache
def schema_text() -> bytes:
    """The document as `manage.py spectacular` writes it. It takes seconds, so once a process.

    It is English, whoever asks first.
    """
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(public=True)
        text: bytes = OpenApiYamlRenderer().render(schema, renderer_context={})
    return text


@require_safe
def schema(request: HttpRequest) -> HttpResponse:
    """`/api/schema/`; 304 for who has it."""
    return public_answer(
        request, schema_text(), content_type="application/vnd.oai.openapi; charset=utf-8"
    )


def _stays_here(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    return answer


swagger = _stays_here(SpectacularSwaggerView.as_view(url_name="schema", throttle_classes=[]))
redoc = _stays_here(
    SpectacularRedocView.as_view(
        url_name="schema", template_name="config/redoc.html", throttle_classes=[]
    )
)
