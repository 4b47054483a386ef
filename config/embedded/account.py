"""The system account that the embedded PostgreSQL runs under.

PostgreSQL refuses to run as root. An ordinary user runs it as himself; root runs it as the
account `nobody`, which every Linux and macOS has, so that no account is made and no folder's
permissions are changed. Where a folder on the way is closed to that account (a project below
/root), the server is given the one right to pass it, where the system has such rights (Linux,
`setpriv`); elsewhere what is closed is reported instead of opened.
"""

import os
import pwd
import shutil
import stat
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from config.embedded.errors import WHAT_TO_DO_INSTEAD, EmbeddedError

UNPRIVILEGED = "nobody"
CAPABILITY = "+dac_override"  # to enter folders whatever their permissions


@dataclass(frozen=True)
class Account:
    """Whom a child process runs as: an account of its own, or (None) whoever starts it.

    `passes` is the program that switches to the account and keeps the right to pass closed
    folders; without it, Popen switches.
    """

    entry: pwd.struct_passwd | None
    passes: str | None = None

    def popen_arguments(self) -> dict[str, Any]:
        """Return what subprocess.Popen needs to start a process under this account."""
        if self.entry is None or self.passes:
            return {}
        return {"user": self.entry.pw_uid, "group": self.entry.pw_gid, "extra_groups": []}

    def command(self, command: list[str]) -> list[str]:
        """Return the command as it has to be started."""
        if self.entry is None or not self.passes:
            return command
        return [
            self.passes,
            f"--reuid={self.entry.pw_uid}",
            f"--regid={self.entry.pw_gid}",
            "--clear-groups",
            f"--inh-caps={CAPABILITY}",
            f"--ambient-caps={CAPABILITY}",
            "--",
            *command,
        ]

    def give(self, path: Path) -> None:
        """Make this account the owner of a file or folder."""
        if self.entry is not None:
            os.chown(path, self.entry.pw_uid, self.entry.pw_gid)

    def reaching(self, path: Path, what: str) -> "Account":
        """Return this account, able to enter every folder above `path`.

        Raises EmbeddedError if one is closed to it and there is no way to let it pass.
        """
        if self.entry is None or self.passes:
            return self
        folders = reversed(path.resolve().parents)
        closed = next((folder for folder in folders if not _may_enter(self.entry, folder)), None)
        if closed is None:
            return self
        passing = replace(self, passes=shutil.which("setpriv"))
        if passing.passes and passing._works():
            return passing
        raise EmbeddedError(
            f"{what} is at {path}, and PostgreSQL cannot get there: it does not run as "
            f"root but as the account '{self.entry.pw_name}', which may not enter {closed}.\n"
            "Do one of these:\n"
            "  - run as an ordinary user instead of root;\n"
            "  - put the project (with its .venv) and --data where other users may enter, "
            "such as /opt or /srv;\n"
            f"  - open the folder yourself, if that is all right: chmod o+x {closed}\n"
            f"{WHAT_TO_DO_INSTEAD}"
        )

    def _works(self) -> bool:
        """Tell whether the system lets this account have the right; some containers do not."""
        done = subprocess.run(self.command(["true"]), capture_output=True)  # noqa: S603
        return done.returncode == 0


def _may_enter(account: pwd.struct_passwd, folder: Path) -> bool:
    status = folder.stat()
    if status.st_uid == account.pw_uid:
        return bool(status.st_mode & stat.S_IXUSR)
    if status.st_gid == account.pw_gid:
        return bool(status.st_mode & stat.S_IXGRP)
    return bool(status.st_mode & stat.S_IXOTH)


def server_account() -> Account:
    """Return the account for servers that refuse root.

    Raises EmbeddedError if this is root and the machine has no account to fall back to.
    """
    if os.geteuid() != 0:
        return Account(None)
    try:
        return Account(pwd.getpwnam(UNPRIVILEGED))
    except KeyError:
        raise EmbeddedError(
            f"PostgreSQL refuses to run as root, and there is no account '{UNPRIVILEGED}' to run "
            "it under. Start this as an ordinary user."
        ) from None
