"""The log: one line an event, as JSON for machines or as text for people.

Never in it: tokens, cards of running rounds, query strings.
"""

from __future__ import annotations

import logging.config
from typing import Any

import structlog
from structlog.tracebacks import ExceptionDictTransformer

# Without the values of local variables: tokens and hands are among them.
JSON_TRACEBACKS = structlog.processors.ExceptionRenderer(
    ExceptionDictTransformer(show_locals=False)
)


def configure_logging(log_format: str) -> None:
    """Set up `logging` and `structlog` alike; `log_format` is `json` or `console`."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    renderer: list[Any] = (
        [JSON_TRACEBACKS, structlog.processors.JSONRenderer()]
        if log_format == "json"
        else [
            structlog.dev.ConsoleRenderer(
                colors=False, exception_formatter=structlog.dev.plain_traceback
            )
        ]
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "events": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        *renderer,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "events"}},
            "root": {"handlers": ["stderr"], "level": "INFO"},
            "loggers": {
                # Every refusal is an answer, not an event for the operator.
                "django.request": {"level": "ERROR"},
                "celery.worker.strategy": {"level": "WARNING"},
                "celery.app.trace": {"level": "WARNING"},
                # A client's every request, in `manage.py play`.
                "httpx": {"level": "WARNING"},
            },
        }
    )
