"""`manage.py serve`: everything on one port, on embedded defaults."""

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.embedded import EmbeddedError, default_data_dir
from config.serving import Address, Service, ServiceError


class Command(BaseCommand):
    """Start PostgreSQL and Valkey where no others are named, then web, worker and beat."""

    help = (
        "Serve everything on one port: the API, its streams, the docs and the admin, with a "
        "Celery worker and beat. Without DATABASE_URL and REDIS_URL it starts a private "
        "PostgreSQL and Valkey. Ctrl-C stops it all."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --host, --port and --data."""
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (%(default)s)"
        )
        parser.add_argument("--port", type=_port, default=8000, help="port (%(default)s)")
        parser.add_argument(
            "--data", type=Path, metavar="DIR", help="data folder (DATA_DIR, else .data)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until a signal; raise CommandError with what to do if that is impossible."""
        data_dir = Path(options["data"] or default_data_dir()).expanduser().resolve()
        address = Address(options["host"], options["port"])
        service = Service(address, data_dir, self.stdout)
        with_signals(service.stop_requested)
        try:
            service.start()
            if not service.stopping:
                service.log.write_plainly(_greeting(address, data_dir))
            service.tend()
        except (EmbeddedError, ServiceError) as error:
            raise CommandError(str(error)) from error
        finally:
            service.stop()
        service.log.write_plainly("Stopped.")


def with_signals(stop: Callable[[], None]) -> None:
    """Call `stop` on Ctrl-C, on SIGTERM and when the terminal closes (unless under nohup)."""

    def received(number: int, frame: FrameType | None) -> None:
        stop()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, received)


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: a number from 1 to 65535")
    return int(text)


def _greeting(address: Address, data_dir: Path) -> str:
    url = address.url
    return "\n".join(
        (
            "",
            f"  API     {url}/api/v1/",
            f"  Docs    {url}/api/docs/",
            f"  Admin   {url}/admin/",
            f"  Make an admin user, in a second terminal:  {_admin_command(data_dir)}",
            "  Ctrl-C stops it.",
            "",
        )
    )


def _admin_command(data_dir: Path) -> str:
    """Return the command that makes an admin user here, as it can be typed from this folder."""
    python = Path(sys.executable)
    if python.is_relative_to(Path.cwd()):
        python = python.relative_to(Path.cwd())
    words = [str(python), sys.argv[0], "createsuperuser"]
    if data_dir != default_data_dir():
        words.insert(0, f"DATA_DIR={data_dir}")
    if "DATABASE_URL" in os.environ:  # that terminal probably has it too, and no secret key
        words.insert(0, "ENVIRONMENT=embedded")
    return " ".join(shlex.quote(word) if "=" not in word else _assignment(word) for word in words)


def _assignment(word: str) -> str:
    name, value = word.split("=", 1)
    return f"{name}={shlex.quote(value)}"
