"""The embedded default: a private PostgreSQL and a private Valkey, from wheels, in one folder.

Used by `manage.py serve` and by the tests. Nothing here imports Django: the settings and the
pytest plugin ask for the URLs before Django is set up.

    with EmbeddedServers(data_dir, database_url=None, redis_url=None) as servers:
        servers.environment   # {"DATABASE_URL": ..., "REDIS_URL": ...}
"""

from config.embedded.data_directory import DataDirectory, default_data_dir, running_urls
from config.embedded.errors import EmbeddedError
from config.embedded.servers import EmbeddedServers

__all__ = [
    "DataDirectory",
    "EmbeddedError",
    "EmbeddedServers",
    "default_data_dir",
    "running_urls",
]
