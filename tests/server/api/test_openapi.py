"""The OpenAPI document."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from parlour.server.api import openapi
from parlour.server.api.operations import OPERATIONS
from tests.server.api.http_client import HttpClient

PUBLISHED = Path(__file__).parents[3] / "docs" / "http-api.openapi.json"


async def test_the_published_document_is_served(http: HttpClient) -> None:
    """By every server."""
    assert (await http.get("/openapi.json")).json == json.loads(PUBLISHED.read_text("utf-8"))


def test_every_operation_is_described() -> None:
    """With its parameters, its replies, and all refusals by status."""
    paths = openapi.document()["paths"]
    for operation in OPERATIONS:
        shown = paths[operation.path][operation.method.lower()]
        assert shown["operationId"] == operation.name
        assert {"400", "401", "429", "503", str(int(operation.status))} <= shown["responses"].keys()
        given = {each["name"] for each in shown.get("parameters", ()) if each["in"] != "header"}
        given |= (
            shown.get("requestBody", {"content": {}})["content"]
            .get("application/json", {"schema": {}})["schema"]
            .get("properties", {})
            .keys()
        )
        assert given == set(operation.fields), operation.name


def test_schemas_are_valid_and_used() -> None:
    """All are JSON Schema, and no reference is missing."""
    document = openapi.document()
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    text = json.dumps(document)
    assert all(f'"#/components/schemas/{name}"' in text for name in schemas)
