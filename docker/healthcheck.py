"""The container's health check: ask this container's own server for /healthz.

Exits with 0 if it answers 200. The request carries a host name that the settings allow.
"""

import http.client
import os
import sys


def main() -> str | None:
    """Return what is wrong, or None."""
    host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=4)
    try:
        connection.request("GET", "/healthz", headers={"Host": host})
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        return f"/healthz: {error}"
    return None if status == 200 else f"/healthz: {status}"


if __name__ == "__main__":
    sys.exit(main())
