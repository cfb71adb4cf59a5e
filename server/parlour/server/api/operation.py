"""An operation of the API: its path, its input, its reply, and the scope that it needs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, unquote

import msgspec
from msgspec import Struct

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Command, Scope
from parlour.server.connections.http import JSON_TYPE, STATUS
from parlour.server.connections.line_stream import NDJSON_TYPE, LineStream

if TYPE_CHECKING:
    from parlour.server.api.call import Call

SVG_TYPE, PNG_TYPE, PLAIN_TYPE = "image/svg+xml", "image/png", "text/plain"

_PARAMETER = re.compile(r"\{(\w+)\}")


def status_of(code: ErrorCode) -> HTTPStatus:
    """Return the status of a refusal: 422 for a request that is well-formed but not possible."""
    return STATUS.get(code, HTTPStatus.UNPROCESSABLE_ENTITY)


class Content(Struct, frozen=True):
    """A reply that is not JSON."""

    body: bytes
    content_type: str


Reply = Struct | Content | LineStream | AsyncIterator[bytes]
Tag = Literal["games", "players", "records", "rooms", "lobby", "tournaments", "positions", "account"]


class Operation(Struct, frozen=True, kw_only=True, dict=True):
    """An operation.

    The fields of `input` that are not in the path are the query of a GET, or the body of a POST. If the input is a
    command, it is executed like any command, and `id` is not a parameter. Otherwise `answer` returns the reply.
    `scope`: what a limited token needs; None: no token is needed, but one that is sent is used.
    """

    method: Literal["GET", "POST"]
    path: str  # below /api/v1
    name: str
    tag: Tag
    summary: str
    input: type[Struct]
    reply: Any  # the type of a reply in JSON, or of a line; of lines also a tuple of types
    formats: tuple[str, ...] = (JSON_TYPE,)
    scope: Scope | Literal["account", "any"] | None = None
    status: HTTPStatus = HTTPStatus.OK
    codes: tuple[ErrorCode, ...] = ()  # of refusals, besides those of every operation
    answer: Callable[[Call, Any], Awaitable[Reply]] | None = None
    about: str = ""  # more than fits into the summary

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern that the path of a request has to match."""
        parts = _PARAMETER.split(self.path)
        regex = "".join(f"(?P<{part}>[^/]+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts))
        return re.compile(regex)

    @cached_property
    def in_path(self) -> tuple[str, ...]:
        """The parameters in the path."""
        return tuple(_PARAMETER.findall(self.path))

    @cached_property
    def fields(self) -> Mapping[str, msgspec.inspect.Field]:
        """The parameters, by name."""
        info = msgspec.inspect.type_info(self.input)
        assert isinstance(info, msgspec.inspect.StructType)
        hidden = "id" if issubclass(self.input, Command) else None
        return {field.name: field for field in info.fields if field.name != hidden}

    @property
    def is_stream(self) -> bool:
        """Whether the reply is sent line by line."""
        return NDJSON_TYPE in self.formats

    @property
    def has_body(self) -> bool:
        """Whether a request has parameters in its body."""
        return self.method == "POST" and len(self.fields) > len(self.in_path)

    def read(self, path: Mapping[str, str], query: str, body: bytes, id: int) -> Struct:
        """Return the input of a request. Raise Refusal if it does not have the documented form."""
        try:
            # Each part is decoded by itself, because a name may contain a slash once it is decoded.
            in_path = {name: unquote(value, errors="strict") for name, value in path.items()}
            in_query = parse_qsl(query, keep_blank_values=True, errors="strict")
        except ValueError:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "The address is not UTF-8.") from None
        values = {**self._outside_path(in_query, body), **in_path}
        for name, field in self.fields.items():
            if field.required and name not in values:
                raise Refusal(ErrorCode.REQUEST_MALFORMED, f"Give `{name}`{_choices(field.type)}.")
        if issubclass(self.input, Command):
            values["id"] = id
        try:
            read: Struct = msgspec.convert(values, self.input, strict=self.method == "POST")
        except msgspec.ValidationError as fault:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, f"{self.name}: {str(fault)[:200]}.") from None
        for name, _ in in_query:  # in a query, the text “null” would be read as null
            if getattr(read, name) is None:
                raise Refusal(ErrorCode.REQUEST_MALFORMED, f"Leave “{name}” out instead of giving null.")
        return read

    def _outside_path(self, in_query: Sequence[tuple[str, str]], body: bytes) -> dict[str, Any]:
        """Return the parameters in the query or the body. Raise Refusal for any that is not documented."""
        if self.has_body:
            given = _object(body)
        elif body:
            raise Refusal(ErrorCode.REQUEST_MALFORMED, "This takes no body.")
        else:
            given = {}
        for name, value in in_query:
            if self.method == "POST":
                raise Refusal(ErrorCode.REQUEST_MALFORMED, f"There is no parameter “{name[:40]}”: use the body.")
            if name in self.fields and _is_list(self.fields[name].type):
                given.setdefault(name, []).append(value)
            elif name in given:
                raise Refusal(ErrorCode.REQUEST_MALFORMED, f"Give “{name[:40]}” once.")
            else:
                given[name] = value
        allowed = [name for name in self.fields if name not in self.in_path]
        for name in given:
            if name not in allowed:
                known = ", ".join(allowed) or "none"
                sentence = f"There is no parameter “{name[:40]}”. The parameters are: {known}."
                raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence)
        return given


def _is_list(kind: msgspec.inspect.Type) -> bool:
    """Return whether a parameter may be given several times."""
    return isinstance(_plain(kind), msgspec.inspect.VarTupleType)


def _choices(kind: msgspec.inspect.Type) -> str:
    """Return the possible values of a parameter, for a sentence; empty if they cannot be listed."""
    plain = _plain(kind)
    return f": {', '.join(map(str, plain.values))}" if isinstance(plain, msgspec.inspect.LiteralType) else ""


def _plain(kind: msgspec.inspect.Type) -> msgspec.inspect.Type:
    return kind.type if isinstance(kind, msgspec.inspect.Metadata) else kind


def _object(body: bytes) -> dict[str, Any]:
    try:
        return {name: _whole(value) for name, value in msgspec.json.decode(body or b"{}", type=dict[str, Any]).items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as fault:
        raise Refusal(ErrorCode.REQUEST_MALFORMED, f"The body is not a JSON object: {str(fault)[:120]}.") from None


def _whole(value: Any) -> Any:
    """Return a JSON value with 1.0 as 1, since JSON has only one kind of number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return {name: _whole(each) for name, each in value.items()} if isinstance(value, dict) else value


class NoInput(Struct, frozen=True):
    """No parameters."""
