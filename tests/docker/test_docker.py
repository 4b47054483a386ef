"""Image, compose file, entrypoint and proxy agree with each other and with the code."""

import ast
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from config.asgi import WAITING_PATH
from config.embedded.data_directory import PROJECT_DIR

DOCKER = PROJECT_DIR / "docker"
ROLES = ("web", "streams", "worker", "beat", "migrate")
SERVICES = {*ROLES, "proxy", "postgres", "redis"}


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    """The services of the compose file, anchors and merges resolved."""
    compose: dict[str, Any] = yaml.safe_load((DOCKER / "compose.yaml").read_text())
    return dict(compose["services"])


@pytest.fixture(scope="module")
def dockerfile() -> list[list[str]]:
    """The instructions of the Dockerfile, each as its words."""
    joined = re.sub(r"\\\n", " ", (DOCKER / "Dockerfile").read_text())
    return [line.split() for line in joined.splitlines() if line and not line.startswith("#")]


def entrypoint_command(role: str) -> list[str]:
    """Return the words that the entrypoint executes for a role."""
    text = (DOCKER / "entrypoint.sh").read_text().replace("\\\n", " ")
    found = re.search(rf"^{role}\)\n(?:\s*#.*\n)*\s*exec (.*)$", text, re.MULTILINE)
    assert found, f"the entrypoint knows no role {role}"
    return shlex.split(found.group(1))


def option(command: list[str], name: str) -> str:
    """Return the value of an option."""
    return command[command.index(name) + 1]


def defines(target: str) -> bool:
    """Tell whether `module:name` of the project exists."""
    module, _, name = target.partition(":")
    tree = ast.parse((PROJECT_DIR / Path(*module.split("."))).with_suffix(".py").read_text())
    names = {
        getattr(target, "id", None)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    defined = {getattr(node, "name", None) for node in tree.body}
    return name in names | defined


def test_every_service_is_there(services: dict[str, Any]) -> None:
    assert set(services) == SERVICES


@pytest.mark.parametrize("role", ROLES)
def test_each_role_runs_the_image_with_its_own_command(services: dict[str, Any], role: str) -> None:
    service = services[role]
    assert service["command"] == [role]
    assert service["image"] == "five-card-games"
    assert (DOCKER / service["build"]["context"]).resolve() == PROJECT_DIR
    assert (PROJECT_DIR / service["build"]["dockerfile"]).is_file()
    for variable in ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "ENVIRONMENT"):
        assert variable in service["environment"], variable


@pytest.mark.parametrize(
    ("role", "interface", "target"),
    [("web", "wsgi", "config.wsgi:application"), ("streams", "asginl", "config.asgi:streams")],
)
def test_web_roles_name_applications_that_exist(role: str, interface: str, target: str) -> None:
    command = entrypoint_command(role)
    assert command[0] == "granian"
    assert option(command, "--interface") == interface
    assert command[-1] == target
    assert defines(target)


@pytest.mark.parametrize("role", ["worker", "beat"])
def test_celery_roles_name_an_application_that_exists(role: str) -> None:
    command = entrypoint_command(role)
    assert command[0] == "celery"
    assert role in command
    assert option(command, "-A") == "config"
    assert defines("config.celery:app")


def test_granian_and_celery_know_the_options() -> None:
    for program, roles in {"granian": ["web", "streams"], "celery": ["worker", "beat"]}.items():
        for role in roles:
            command = entrypoint_command(role)
            words = [role] if program == "celery" else []
            shown = subprocess.run(
                [sys.executable, "-m", program, *words, "--help"],
                capture_output=True,
                text=True,
                check=True,
                cwd=PROJECT_DIR,
            ).stdout
            own = {"-A", "--quiet"}
            for word in command:
                if word.startswith("-") and word not in own:
                    assert word in shown, f"{role}: {program} has no {word}"


def test_the_entrypoint_is_sound_shell() -> None:
    subprocess.run(["sh", "-n", DOCKER / "entrypoint.sh"], check=True)


def test_an_unknown_role_is_a_command_of_manage_py() -> None:
    text = (DOCKER / "entrypoint.sh").read_text()
    assert 'exec python manage.py "$@"' in text


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/sessions/3f0c/state/wait/",
        "/api/v1/sessions/3f0c/events/",
        "/api/v1/sessions/3f0c/state/",
        "/api/v1/sessions/3f0c/events/more/",
        "/api/v1/sessions/a/b/events/",
        "/api/v1/sessions/",
        "/admin/",
    ],
)
def test_the_proxy_sends_to_streams_exactly_what_the_code_waits_on(path: str) -> None:
    text = (DOCKER / "proxy" / "Caddyfile").read_text()
    found = re.search(r"@waits path_regexp (\S+)", text)
    assert found
    assert bool(re.search(found.group(1), path)) == bool(WAITING_PATH.match(path))


def test_the_proxy_routes_unbuffered_streams_and_the_rest() -> None:
    text = re.sub(r"#.*", "", (DOCKER / "proxy" / "Caddyfile").read_text())
    waiting = re.search(r"handle @waits \{(.*?)\n\t\}", text, re.DOTALL)
    rest = re.search(r"handle \{(.*?)\n\t\}", text, re.DOTALL)
    assert waiting
    assert rest
    assert "reverse_proxy streams:8000" in waiting.group(1)
    assert "reverse_proxy web:8000" in rest.group(1)
    for buffering in ("encode", "request_buffers", "response_buffers", "flush_interval"):
        assert buffering not in text, f"{buffering} would hold events back or keep the dead alive"


def test_the_proxy_reaches_services_at_the_port_they_listen_on(services: dict[str, Any]) -> None:
    assert {"web", "streams"} <= set(services["proxy"]["depends_on"])
    for role in ("web", "streams"):
        assert option(entrypoint_command(role), "--port") == "8000"
        assert option(entrypoint_command(role), "--host") == "0.0.0.0"
    mounted = services["proxy"]["volumes"][0].split(":")[0]
    assert (DOCKER / mounted).is_file()


def test_only_the_proxy_is_reachable_from_outside(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]


def test_everything_waits_for_the_migration_and_that_for_the_database(
    services: dict[str, Any],
) -> None:
    for role in ("web", "streams", "worker", "beat"):
        condition = services[role]["depends_on"]["migrate"]["condition"]
        assert condition == "service_completed_successfully"
    assert services["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert services["migrate"]["restart"] == "no"


def test_no_secret_has_a_default(services: dict[str, Any]) -> None:
    text = (DOCKER / "compose.yaml").read_text()
    for variable in ("SECRET_KEY", "POSTGRES_PASSWORD"):
        uses = re.findall(rf"\$\{{{variable}([^}}]*)\}}", text)
        assert uses
        assert all(use.startswith(":?") for use in uses)
        assert f"\n{variable}=\n" in (DOCKER / "env.example").read_text()


def test_variables_of_the_compose_file_are_explained() -> None:
    used = set(re.findall(r"(?<!\$)\$\{(\w+)", (DOCKER / "compose.yaml").read_text()))
    explained = set(re.findall(r"^(?:# )?(\w+)=", (DOCKER / "env.example").read_text(), re.M))
    assert used == explained


def test_the_image_is_slim_locked_checked_and_not_root(dockerfile: list[list[str]]) -> None:
    text = [" ".join(words) for words in dockerfile]
    assert {words[1] for words in dockerfile if words[0] == "FROM"} == {"python:3.12-slim"}
    assert any("pip install --require-hashes -r requirements.txt" in line for line in text)
    assert any("collectstatic --no-input" in line for line in text)
    assert any(line.startswith("HEALTHCHECK") and "docker/healthcheck.py" in line for line in text)
    last_user = [words[1] for words in dockerfile if words[0] == "USER"][-1]
    assert last_user not in ("root", "0")
    order = [words[0] for words in dockerfile]
    assert order.index("USER") > max(i for i, name in enumerate(order) if name in ("COPY", "RUN"))


def test_the_build_context_holds_every_package_and_no_private_file() -> None:
    let_in = {
        line[1:].strip("/")
        for line in (PROJECT_DIR / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    packages = {path.parent.name for path in PROJECT_DIR.glob("*/__init__.py")} - {"tests", "sdk"}
    assert packages <= let_in
    assert {"manage.py", "requirements.txt", "docker/entrypoint.sh"} <= let_in
    assert all((PROJECT_DIR / name).exists() for name in let_in)
    assert not let_in & {".git", ".env", ".data", "docker", "docker/.env", ".venv"}


def test_the_health_check_asks_under_an_allowed_host() -> None:
    text = (DOCKER / "healthcheck.py").read_text()
    compile(text, "healthcheck.py", "exec")
    assert '"/healthz"' in text
    assert "ALLOWED_HOSTS" in text
