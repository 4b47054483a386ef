"""The command: `python -m games.verify SOURCE ...`.

Exit status 0: all is right. 1: something is wrong, said in one sentence a replay. 2: a source could
not be read, or is no replay.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from games.verify.checks import replay_verify
from games.verify.errors import Wrong
from games.verify.shapes import hex_digest
from games.verify.sources import replays_from

RIGHT, WRONG, UNREADABLE = 0, 1, 2
NOT_CHECKED = (
    "Without --commitment, the server seed is only held against the replay's own commitment: that"
    " the seed was chosen before the deal is known to who noted `next_commitment` then. "
    "Times, who sat where and who acted are the service's word; so are the totals before the round"
    " and who leads a later round of thirteen. Where another allowed move leads to the same end (a"
    " bid that is outbid, rows that are set anew), only the fingerprint tells them apart."
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify every replay of every source; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m games.verify",
        description="Recompute commitment, deals, moves and points of replays.",
        epilog=NOT_CHECKED,
    )
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a file, an http(s) address, or - for standard input: a replay, or JSON lines of them",
    )
    parser.add_argument("--token", help="bearer token for addresses of private rounds")
    parser.add_argument(
        "--commitment",
        type=_commitment,
        metavar="HEX",
        help="the next_commitment that was seen before the deal of this one round",
    )
    chosen = parser.parse_args(arguments)
    return max(_verify(source, chosen.token, chosen.commitment) for source in chosen.sources)


def _commitment(text: str) -> str:
    if not hex_digest(text.lower()):
        raise argparse.ArgumentTypeError("it must be 64 hexadecimal digits")
    return text.lower()


def _verify(source: str, token: str | None, commitment: str | None) -> int:
    status, number = RIGHT, 0
    try:
        for number, replay in enumerate(replays_from(source, token=token), start=1):
            try:
                right = replay_verify(replay, seen_commitment=commitment)
            except Wrong as wrong:
                status = WRONG
                _say(f"{source}: replay {number}: WRONG: {wrong}")
            else:
                checked = ", ".join(right.checked)
                _say(f"{source}: {right.game}, round {right.number} of {right.session_id}: right")
                _say(f"  checked: {checked}")
    except (OSError, ValueError) as error:
        _say(f"{source}: cannot be read: {error}")
        return UNREADABLE
    if number == 0:
        _say(f"{source}: cannot be read: there is nothing in it")
        return UNREADABLE
    return status


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
