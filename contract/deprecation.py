"""Calls that will go: said in the OpenAPI document and, by `config.manners`, in every answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from drf_spectacular.utils import extend_schema

Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Since when a call is not to be used any more, and from when on it may be gone; UTC."""

    since: datetime
    sunset: datetime


def deprecated(*, since: date, sunset: date) -> Callable[[Method], Method]:
    """Mark the method of a view, below its `extend_schema`, as one that will go.

    Its answers, refusals included, get `Deprecation` and `Sunset`.
    """

    def mark(method: Method) -> Method:
        method.deprecation = Deprecation(_midnight(since), _midnight(sunset))  # type: ignore[attr-defined]
        return extend_schema(deprecated=True)(method)

    return mark


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
