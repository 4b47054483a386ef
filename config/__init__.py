"""The project: settings, URLs, servers, and what turns refusals into answers."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
