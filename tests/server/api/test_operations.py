"""The list of all operations."""

from __future__ import annotations

from parlour.protocol.messages import Command
from parlour.server.api.operations import OPERATIONS
from parlour.server.sessions.scopes import PUBLIC, SCOPES


def test_operations_are_unique() -> None:
    """Each has a name, and a method and a path, of its own."""
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({(operation.method, operation.path) for operation in OPERATIONS}) == len(OPERATIONS)


def test_an_operation_needs_the_scope_of_its_command() -> None:
    """So that both doors are equally wide."""
    for operation in OPERATIONS:
        if issubclass(operation.input, Command) and operation.input not in PUBLIC:
            assert operation.scope == SCOPES.get(operation.input, "account"), operation.name


def test_an_operation_without_its_own_answer_is_a_command() -> None:
    """Every parameter in a path is a field of its input."""
    for operation in OPERATIONS:
        assert operation.answer is not None or issubclass(operation.input, Command), operation.name
        assert set(operation.in_path) <= set(operation.fields), operation.name
