"""What the embedded default says when it cannot do its work."""

WHAT_TO_DO_INSTEAD = (
    "Either start everything in containers:\n"
    "    cp docker/env.example docker/.env   (and fill in its two secrets)\n"
    "    docker compose -f docker/compose.yaml up\n"
    "or set DATABASE_URL and REDIS_URL to a PostgreSQL and a Redis (or Valkey) that run already:\n"
    "    DATABASE_URL=postgres://user:password@host:5432/name REDIS_URL=redis://host:6379/0"
)


class EmbeddedError(Exception):
    """The embedded servers cannot run; the message is meant for the person who started them."""


def wheel_missing(package: str, server: str, variable: str, reason: str) -> EmbeddedError:
    """Return the error for a server whose wheel is not installed or does not run here."""
    return EmbeddedError(
        f"No embedded {server} here, and {variable} is not set: {reason}\n"
        f"It comes with the package {package}, which exists for Linux (glibc) and macOS on "
        "x86-64 and arm64.\n"
        f"There, install it with: pip install --require-hashes -r requirements.txt\n"
        f"{WHAT_TO_DO_INSTEAD}"
    )
