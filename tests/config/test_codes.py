"""The table of error codes: nothing missing, nothing left over, every detail tells its facts."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from config.errors import CODE_BY_EXCEPTION, CODE_BY_STATUS
from config.problems import PROBLEMS
from contract.errors import Refusal
from contract.schema import BAD_BODY, BAD_KEY, USUAL_CODES
from games.rules.errors import RuleViolation

PACKAGES = ("config", "contract", "players", "scoring", "games", "bots", "sandbox")
Refusing = type[Refusal] | type[RuleViolation]


def refusals() -> list[Refusing]:
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations" not in module.name and module.name != "config.asgi":
                importlib.import_module(module.name)

    def below(cls: Refusing) -> Iterator[Refusing]:
        for subclass in cls.__subclasses__():
            yield subclass
            yield from below(subclass)

    return [*below(Refusal), *below(RuleViolation)]


REFUSALS = refusals()


def codes_named_in_config() -> set[str]:
    """Texts of `config` outside of the table that are codes: what middleware answers with."""
    return {
        node.value
        for path in Path(settings.BASE_DIR, "config").glob("*.py")
        if path.name != "problems.py"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in PROBLEMS
    }


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda cls: cls.__name__)
def test_every_refusal_has_an_entry_and_documents_the_facts_that_it_shows(refusal: Refusing):
    shown = set(re.findall(r"%\((\w+)\)s", str(PROBLEMS[refusal.code].detail)))
    documented = set(re.findall(r"`(\w+)`", (refusal.__doc__ or "").partition("Facts:")[2]))
    assert shown <= documented


def test_every_entry_is_used():
    used = {refusal.code for refusal in REFUSALS}
    used |= set(dict(CODE_BY_EXCEPTION).values()) | set(CODE_BY_STATUS.values())
    used |= codes_named_in_config()
    assert set(PROBLEMS) - used == set()


def test_every_code_that_an_operation_documents_exists():
    named = set(USUAL_CODES.values())
    for table in (BAD_BODY, BAD_KEY):
        named |= {code for codes in table.values() for code in codes}
    assert named <= set(PROBLEMS)
    for status, code in USUAL_CODES.items():
        assert PROBLEMS[code].status == status


def test_statuses_are_those_of_the_contract():
    conflicts = {"not_your_turn", "wrong_phase", "stale_turn", "round_over"}
    assert {PROBLEMS[code].status for code in conflicts} == {409}
    assert PROBLEMS["not_seated"].status == 403
    of_the_rules = {r.code for r in REFUSALS if issubclass(r, RuleViolation)} - conflicts
    assert {PROBLEMS[code].status for code in of_the_rules} == {422}


def test_a_detail_without_its_facts_is_the_title():
    assert PROBLEMS["card_not_in_hand"].detail_with({}) == "Card not in your hand"
    assert (
        PROBLEMS["card_not_in_hand"].detail_with({"cards": ["3C", "4D"]})
        == "You do not hold 3C 4D."
    )
