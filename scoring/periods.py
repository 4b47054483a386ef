"""When the periods of the boards begin, in UTC."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from scoring.models import EPOCH, Period


def period_start(period: str, at: datetime) -> date:
    """The day on which the period that holds this time began, at midnight UTC."""
    day = at.astimezone(UTC).date()
    if period == Period.DAY:
        return day
    if period == Period.WEEK:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if period == Period.MONTH else EPOCH
