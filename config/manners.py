"""What every answer says to browsers, caches and proxies, and how every address takes OPTIONS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.http import http_date

API: Final = "/api/"
PEOPLE: Final = "/admin/"
# JSON is no page: a browser that is made to show it runs nothing of it (OWASP REST cheat sheet).
NOTHING_RUNS: Final = "default-src 'none'; frame-ancestors 'none'"


Handler = Callable[[HttpRequest], HttpResponse]


class CompressionMiddleware(GZipMiddleware):
    """Answers of the API with gzip, where the client takes it.

    BREACH reads a secret out of a compressed page by making the victim's browser ask for it, with
    its cookies, again and again. The API takes no cookies, and no other site can send a player's
    token; the admin, which takes them, is not compressed. Nor are streams, which a compressor would
    hold back. An ETag becomes weak by it, which `If-None-Match` does not mind.
    """

    def process_response(self, request: HttpRequest, response: Any) -> Any:
        """The answer, compressed if it may be."""
        kept = response.streaming or "no-transform" in response.get("Cache-Control", "")
        if kept or not request.path_info.startswith(API):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        if not _takes_gzip(request.headers.get("Accept-Encoding", "")):
            return response
        return super().process_response(request, response)


def _takes_gzip(accepted: str) -> bool:
    """Whether `Accept-Encoding` names gzip and does not refuse it (RFC 9110, 12.5.3)."""
    for one in accepted.lower().split(","):
        coding, *parameters = (part.strip() for part in one.split(";"))
        if coding in ("gzip", "x-gzip"):
            weights = (part.partition("=") for part in parameters)
            return not any(
                name.strip() == "q" and not value.strip(" 0.") for name, _, value in weights
            )
    return False


class MannersMiddleware:
    """Caching, what a browser may do with an answer, deprecation, and OPTIONS."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        response = self.get_response(request)
        # What says nothing of it belongs to one player, or passes with the moment.
        if not request.path_info.startswith(PEOPLE):
            response.headers.setdefault("Cache-Control", "private, no-store")
            if "public" not in response["Cache-Control"]:
                patch_vary_headers(response, ["Authorization"])
        if "json" in response.get("Content-Type", ""):
            response.headers.setdefault("Content-Security-Policy", NOTHING_RUNS)
        if told := getattr(request, "deprecation", None):
            for name, value in _told(told).items():
                response[name] = value
        return response

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """The answer to OPTIONS: what may be asked here, by anybody. None leaves it to the view."""
        view_class = getattr(view, "cls", None)
        method = (request.method or "").lower()
        handler = getattr(view_class, "get" if method == "head" else method, None)
        request.deprecation = getattr(handler, "deprecation", None)  # type: ignore[attr-defined]
        if method != "options" or request.path_info.startswith(PEOPLE):
            return None
        # A view that is no class of the API only shows something.
        is_api = hasattr(view, "cls")
        methods = ("GET", "POST", "PUT", "PATCH", "DELETE") if is_api else ("GET",)
        known = [name for name in methods if hasattr(view_class, name.lower()) or not is_api]
        head = ["HEAD"] if "GET" in known else []
        return HttpResponse(status=204, headers={"Allow": ", ".join([*known, *head, "OPTIONS"])})


def _told(deprecation: Any) -> dict[str, str]:
    """RFC 9745 and RFC 8594: since when a call is not to be used any more, and until when it is."""
    return {
        "Deprecation": f"@{int(deprecation.since.timestamp())}",
        "Sunset": http_date(deprecation.sunset.timestamp()),
    }
