"""Production starts with safe settings only, and says what is missing without telling secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.commands import Done, Manage

SECRET = "k3y-" + "0123456789abcdefghij" * 4
PASSWORD = "pantry-door-7"
GOOD = {
    "ENVIRONMENT": "production",
    "SECRET_KEY": SECRET,
    "ALLOWED_HOSTS": "cards.example",
    "DATABASE_URL": f"postgres://cards:{PASSWORD}@db.example:5432/cards",
    "REDIS_URL": f"redis://:{PASSWORD}@redis.example:6379/0",
}


def test_good_settings_pass_the_checks_for_deployment(manage: Manage):
    done = manage("check", "--deploy", "--fail-level", "WARNING", **GOOD)
    assert (done.returncode, done.told) == (
        0,
        "System check identified no issues (0 silenced).\n",
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        pytest.param({"DEBUG": "1"}, "DEBUG must be off", id="debug"),
        pytest.param({"SANDBOX": "1"}, "SANDBOX must be off", id="sandbox"),
        pytest.param({"SECRET_KEY": None}, "SECRET_KEY must be set", id="no secret"),
        pytest.param({"SECRET_KEY": "s" * 49}, "SECRET_KEY must be set", id="short secret"),
        pytest.param(
            {"SECRET_KEY": "insecure-only-for-a-laptop" * 3}, "SECRET_KEY must be", id="default"
        ),
        pytest.param({"SECRET_KEY": "s" * 60}, "SECRET_KEY must be set", id="one letter"),
        pytest.param({"ALLOWED_HOSTS": None}, "ALLOWED_HOSTS must name", id="no hosts"),
        pytest.param({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS must name", id="empty hosts"),
        pytest.param({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS must name", id="all hosts"),
        pytest.param(
            {"ALLOWED_HOSTS": "cards.example, *"}, "ALLOWED_HOSTS must name", id="all hosts too"
        ),
        pytest.param({"DATABASE_URL": None}, "DATABASE_URL must be set", id="no database"),
        pytest.param({"DATABASE_URL": ""}, "DATABASE_URL must be set", id="empty database"),
        pytest.param({"REDIS_URL": None}, "REDIS_URL must be set", id="no redis"),
    ],
)
def test_production_refuses_what_is_not_safe(manage: Manage, change: dict[str, Any], reason: str):
    done = manage("check", **{**GOOD, **change})
    assert done.returncode == 1
    assert done.told.startswith("The settings do not allow this: in production, ")
    assert reason in done.told
    assert done.told.count(" must ") == 1
    assert_tells_no_secret(done, change)


def test_all_reasons_are_told_at_once(manage: Manage):
    done = manage("check", ENVIRONMENT="production", DEBUG="1", SANDBOX="1")
    assert done.returncode == 1
    assert done.told.count(" must ") == 6


def test_a_command_without_a_database_says_how_to_have_one(manage: Manage, tmp_path: Path):
    nowhere = {"DATA_DIR": str(tmp_path)}
    for command in (["rebuild_scores", "--check"], ["migrate", "--check"], ["changepassword", "a"]):
        done = manage(*command, **nowhere)
        assert (done.returncode, done.told) == (
            1,
            "no database: set DATABASE_URL, or start `manage.py serve` (and set DATA_DIR to its "
            "--data)\n",
        )
    for command in (["check"], ["makemigrations", "--check"]):
        assert manage(*command, **nowhere).returncode == 0


def test_with_a_database_of_its_own_it_is_production_unless_said_otherwise(manage: Manage):
    done = manage("check", DATABASE_URL=GOOD["DATABASE_URL"])
    assert (done.returncode, "in production" in done.told) == (1, True)
    assert_tells_no_secret(done, {})


@pytest.mark.parametrize("name", ["prod", "Production", "", "staging"])
def test_an_unknown_environment_is_refused(manage: Manage, name: str):
    done = manage("check", **{**GOOD, "ENVIRONMENT": name})
    assert done.returncode == 1
    assert "ENVIRONMENT must be one of production, embedded, test." in done.told
    assert_tells_no_secret(done, {})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEBUG", "perhaps"),
        ("SANDBOX", "perhaps"),
        ("RATE_LIMITS", "perhaps"),
        ("RATE_LIMIT_GUEST", "often"),
        ("RATE_LIMIT_READS", "1/second; 90/hour"),
        ("RATE_LIMIT_CODE_BY_PLAYER", ""),
        ("TRUSTED_PROXIES", "all"),
        ("TRUSTED_PROXIES", "-1"),
        ("HTTPS", "perhaps"),
        ("CONN_MAX_AGE", "long"),
        ("TOKEN_DAYS", "many"),
        ("SWEEP_SECONDS", "soon"),
        ("STREAM_HEARTBEAT_SECONDS", "soon"),
        ("LOG_FORMAT", "xml"),
        ("DATABASE_URL", f"mysql://cards:{PASSWORD}@db.example/cards"),
        ("DATABASE_URL", f"oracle-or-so://cards:{PASSWORD}@db.example/cards"),
        ("DATABASE_URL", f"postgres://cards:{PASSWORD}@db.example:port/cards"),
        ("REDIS_URL", f"http://:{PASSWORD}@redis.example"),
    ],
)
def test_a_value_that_is_none_is_refused_by_its_name(manage: Manage, name: str, value: str):
    done = manage("check", **{**GOOD, name: value})
    assert done.returncode == 1
    assert done.told.startswith("The settings do not allow this: ")
    assert name in done.told
    assert_tells_no_secret(done, {})


def test_the_embedded_default_knows_the_sandbox_and_no_rate_limits(manage: Manage):
    values = "from django.conf import settings as s; print(s.SANDBOX, s.RATE_LIMITS, s.PRODUCTION)"
    for change, printed in (
        ({}, "False True False"),
        ({"SANDBOX": "1", "RATE_LIMITS": "off"}, "True False False"),
    ):
        done = manage("shell", "-v", "0", "-c", values, ENVIRONMENT="embedded", **change)
        assert done.told.strip() == printed


def test_rates_and_proxies_are_those_of_the_environment(manage: Manage):
    values = (
        "from django.conf import settings as s; guest = s.RATE_LIMIT_RATES['guest'];"
        "print(s.RATE_LIMITS, guest.amount, guest.get_expiry(), s.REST_FRAMEWORK['NUM_PROXIES'])"
    )
    changed = {"RATE_LIMIT_GUEST": "7/2 minutes", "TRUSTED_PROXIES": "2"}
    for change, printed in (
        ({"ENVIRONMENT": "embedded"}, "True 300 600 0"),
        ({"ENVIRONMENT": "embedded", **changed}, "True 7 120 2"),
        ({"ENVIRONMENT": "test"}, "False 300 600 0"),
        ({"ENVIRONMENT": "test", "RATE_LIMITS": "on"}, "True 300 600 0"),
    ):
        done = manage("shell", "-v", "0", "-c", values, **change)
        assert done.told.strip() == printed


def assert_tells_no_secret(done: Done, change: dict[str, Any]) -> None:
    secret = change.get("SECRET_KEY") or SECRET
    assert secret not in done.told
    assert PASSWORD not in done.told
    assert "Traceback" not in done.told
