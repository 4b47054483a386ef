"""The players' part of the OpenAPI document."""

from __future__ import annotations

import pytest
from drf_spectacular.generators import SchemaGenerator

from players.api import examples
from players.api.serializers import (
    ClaimPlayerSerializer,
    DeviceSerializer,
    LoginResultSerializer,
    LoginSerializer,
    OwnPlayerSerializer,
    RegisterPlayerSerializer,
)

OPERATIONS = {
    "create_guest",
    "register_player",
    "log_in_player",
    "log_out_device",
    "log_out_all_devices",
    "claim_player",
    "get_me",
    "update_me",
    "delete_me",
    "list_devices",
    "end_device",
    "get_player",
}


@pytest.fixture(scope="module")
def operations():
    from players.api.urls import urlpatterns

    schema = SchemaGenerator(patterns=urlpatterns).get_schema(public=True)
    return {
        operation["operationId"]: operation
        for path in schema["paths"].values()
        for operation in path.values()
    }


def test_operations_are_named(operations):
    assert set(operations) == OPERATIONS
    assert {tag for operation in operations.values() for tag in operation["tags"]} == {"players"}
    assert all(operation["summary"] for operation in operations.values())


def test_refusals_are_problems(operations):
    for name, operation in operations.items():
        refusals = {s: a for s, a in operation["responses"].items() if s.startswith("4")}
        assert refusals, name
        for answer in refusals.values():
            assert answer["content"] == {
                "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
            }


def test_only_the_calls_that_give_tokens_need_none(operations):
    free = {name for name, operation in operations.items() if not operation.get("security")}
    assert free == {"create_guest", "register_player", "log_in_player"}
    assert operations["get_me"]["security"] == [{"bearerAuth": []}]


@pytest.mark.parametrize(
    ("serializer", "example"),
    [
        (RegisterPlayerSerializer, examples.CREDENTIALS | {"display_name": "Mei"}),
        (ClaimPlayerSerializer, examples.CREDENTIALS),
        (LoginSerializer, examples.CREDENTIALS),
    ],
)
def test_example_requests_are_accepted(serializer, example):
    assert serializer(data=example).is_valid()


@pytest.mark.parametrize(
    ("serializer", "example"),
    [
        (LoginResultSerializer, examples.logged_in(examples.GUEST)),
        (OwnPlayerSerializer, examples.REGISTERED | {"username": "mei_lin"}),
        (DeviceSerializer, examples.DEVICE),
    ],
)
def test_example_answers_have_the_fields_of_the_answer(serializer, example):
    assert set(example) == set(serializer().fields)
