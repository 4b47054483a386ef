"""Refusals commit nothing, so these tests can do without real commits, which are slow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.clients import Api


@pytest.fixture
def api(db: Any) -> Api:
    return Api.guest()


@pytest.fixture
def stranger(db: Any) -> Api:
    return Api.guest()


@pytest.fixture
def anonymous(db: Any) -> Api:
    return Api()
