"""Settings, from the environment (12-factor). `README.md` lists every variable.

`ENVIRONMENT` is `production` unless said otherwise wherever a `DATABASE_URL` is given, and
`embedded` where none is. Production refuses to start with what is only fit for a laptop.
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from environ import Env

from config import environment
from config.embedded import default_data_dir, running_urls
from config.logging import configure_logging
from config.openapi_settings import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from config.rate_limit_settings import RATES
from config.schedule import beat_schedule

BASE_DIR = Path(__file__).resolve().parent.parent

DATA_DIR = default_data_dir()
ENVIRONMENT = environment.choice(
    "ENVIRONMENT",
    ("production", "embedded", "test"),
    default="production" if "DATABASE_URL" in os.environ else "embedded",
)
PRODUCTION = ENVIRONMENT == "production"

# Where `manage.py serve` runs, a command in a second terminal finds its servers and its secret.
running = {} if PRODUCTION else running_urls(DATA_DIR) or {}
DATABASE_URL = environment.url(
    "DATABASE_URL", ("postgres", "postgresql"), default=running.get("DATABASE_URL", "")
)
REDIS_URL = environment.url("REDIS_URL", ("redis", "rediss"), default=running.get("REDIS_URL", ""))
SECRET_KEY = environment.text(
    "SECRET_KEY", "" if PRODUCTION else running.get("SECRET_KEY", "insecure-only-for-a-laptop")
)
DEBUG = environment.flag("DEBUG", default=False)
SANDBOX = environment.flag("SANDBOX", default=False)
RATE_LIMITS = environment.flag("RATE_LIMITS", default=ENVIRONMENT != "test")
HTTPS = environment.flag("HTTPS", default=PRODUCTION)
ALLOWED_HOSTS = environment.words(
    "ALLOWED_HOSTS", default=[] if PRODUCTION else ["localhost", "127.0.0.1", "[::1]", "testserver"]
)

if PRODUCTION:
    refused = {
        "SECRET_KEY must be set, to 50 or more characters of your own": len(SECRET_KEY) < 50
        or len(set(SECRET_KEY)) < 5
        or "insecure" in SECRET_KEY,
        "DEBUG must be off": DEBUG,
        "SANDBOX must be off": SANDBOX,
        "ALLOWED_HOSTS must name the hosts, without *": not ALLOWED_HOSTS or "*" in ALLOWED_HOSTS,
        "DATABASE_URL must be set": not DATABASE_URL,
        "REDIS_URL must be set": not REDIS_URL,
    }
    reasons = [reason for reason, wrong in refused.items() if wrong]
    if reasons:
        raise ImproperlyConfigured("in production, " + "; ".join(reasons) + ".")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "corsheaders",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "players",
    "scoring",
    "games",
    "bots",
    "sandbox",
    "config",  # last: what it does when a player is deleted comes after what the games do
]

# What says something in every answer comes first, also in those of the ones after it.
MIDDLEWARE = [
    "config.requests.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "config.manners.CompressionMiddleware",
    "config.manners.MannersMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.requests.ProblemMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "config.faults.FaultMiddleware",
    "config.idempotency.IdempotencyMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- data -------------------------------------------------------------------------------------

# No DATABASE_URL and no running `serve`: commands that need no database still work, and manage.py
# says of the others what to do.
DATABASES: dict[str, Any] = {}
if DATABASE_URL:
    DATABASES["default"] = {
        **Env.db_url_config(DATABASE_URL),
        "CONN_MAX_AGE": environment.number("CONN_MAX_AGE", default=600),
        "CONN_HEALTH_CHECKS": True,
    }

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
}

# --- work in the background ---------------------------------------------------------------------

CELERY_BROKER_URL = REDIS_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 4
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A move is never held up by the broker: one quick try, and the sweep asks again.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "socket_timeout": 2,
    "socket_connect_timeout": 1,
    "retry_on_timeout": False,
    "max_retries": 0,
}
SWEEP_SECONDS = environment.number("SWEEP_SECONDS", default=2.0)
CELERY_BEAT_SCHEDULE = beat_schedule(SWEEP_SECONDS)

# --- players and their tokens -------------------------------------------------------------------

AUTH_USER_MODEL = "players.Player"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
KNOX_TOKEN_MODEL = "players.Device"  # noqa: S105 - a model, no password
# Its migrations would make the table of the token model that Device replaces.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {
    "AUTH_HEADER_PREFIX": "Bearer",
    "TOKEN_TTL": timedelta(days=environment.number("TOKEN_DAYS", default=90)),
    "AUTO_REFRESH": True,
    # A sliding expiry is written down at most this often, so that reads stay reads.
    "MIN_REFRESH_INTERVAL": 3600,
}

# --- the API ------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["players.api.authentication.BearerAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["contract.negotiation.StrictJsonParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "contract.negotiation.AlwaysJson",
    "DEFAULT_PAGINATION_CLASS": "contract.pagination.NewestFirst",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.problem_for",
    "DATETIME_FORMAT": "%Y-%m-%dT%H:%M:%SZ",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_THROTTLE_CLASSES": ["contract.rate_limits.CallRate"],
    "NUM_PROXIES": environment.count("TRUSTED_PROXIES", default=0),
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,
}
RATE_LIMIT_RATES = {
    kind: environment.rate(f"RATE_LIMIT_{kind.upper()}", default=rate)
    for kind, rate in RATES.items()
}
IDEMPOTENCY_HOURS = 24
MAX_BODY_BYTES = 64 * 1024
# Event streams that a player may have open at once, in each process that holds streams.
STREAMS_PER_PLAYER = int(environment.number("STREAMS_PER_PLAYER", default=8))
# Of silence, after which a stream sends a comment: before a proxy takes it for dead.
STREAM_HEARTBEAT_SECONDS = environment.number("STREAM_HEARTBEAT_SECONDS", default=15.0)
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024  # the admin's forms; the API's limit is above

CORS_ALLOWED_ORIGINS = environment.words("CORS_ALLOWED_ORIGINS", default=[])
CORS_URLS_REGEX = r"^/api/"
# What apps send, and a browser lets no script send unasked; and what scripts may read.
CORS_ALLOW_HEADERS = [
    *("accept", "accept-language", "authorization", "cache-control", "content-type"),
    *("idempotency-key", "if-none-match", "last-event-id", "sandbox-fault", "x-request-id"),
]
CORS_EXPOSE_HEADERS = [
    *("Content-Disposition", "Content-Language", "Deprecation", "ETag", "Retry-After", "Sunset"),
    "X-Request-ID",
]

# --- languages, static files, log ---------------------------------------------------------------

LANGUAGE_CODE = "en"
# No cookie can have this name: texts follow Accept-Language alone, by which caches tell them apart.
LANGUAGE_COOKIE_NAME = ";"
# Plain `zh` is answered in the first of its kind.
LANGUAGES = [
    ("en", _("English")),
    ("zh-hant", _("Traditional Chinese")),
    ("zh-hans", _("Simplified Chinese")),
]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = environment.text("STATIC_ROOT", str(BASE_DIR / "staticfiles")) if PRODUCTION else None
# Outside production the files are served from where the packages keep them.
WHITENOISE_USE_FINDERS = not PRODUCTION
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

LOGGING_CONFIG = None
configure_logging(
    environment.choice(
        "LOG_FORMAT", ("json", "console"), default="json" if PRODUCTION else "console"
    )
)

# --- security -----------------------------------------------------------------------------------

SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
X_FRAME_OPTIONS = "DENY"
