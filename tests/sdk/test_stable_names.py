"""What clients call things by does not move when the API grows."""

from __future__ import annotations

from typing import Any

from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.views import APIView

from config.urls import urlpatterns
from games.models import SessionStatus


class ExtraSerializer(serializers.Serializer[Any]):
    """Fields whose names and choices look like those of others."""

    status = serializers.ChoiceField(choices=["broken", "mended"])
    type = serializers.ChoiceField(choices=["wood", "steel"])
    phase = serializers.ChoiceField(choices=SessionStatus.choices)


class ExtraView(APIView):
    """A later addition."""

    @extend_schema(operation_id="list_extras", responses=ExtraSerializer)
    def get(self, request: Any) -> Any:
        """Never called."""


def names(patterns: list[Any]) -> tuple[dict[tuple[str, str], str], set[str]]:
    """The operations' names by place, and the components'."""
    schema = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    operations = {
        (where, method): operation["operationId"]
        for where, methods in schema["paths"].items()
        for method, operation in methods.items()
    }
    return operations, set(schema["components"]["schemas"])


def test_a_route_added_moves_no_name():
    operations, components = names(urlpatterns)
    extra = [
        path("api/v1/extras/", ExtraView.as_view()),
        path("api/v1/a-first-one/", ExtraView.as_view()),
    ]
    more_operations, more_components = names([*extra[1:], *urlpatterns, *extra[:1]])
    assert len(more_operations) == len(operations) + 2
    assert operations.items() <= more_operations.items()
    assert components < more_components
