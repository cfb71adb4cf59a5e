"""server/parlour/server/api/field_meanings.json: the meanings of the fields of all structs, for the OpenAPI document.

A server writes that document itself, and does not have the comments from which the meanings come.
"""

from __future__ import annotations

import json

from msgspec import Struct

from parlour.server.api import replies
from parlour.server.pages.page_info import Invitation
from publish.model import meanings_of, protocol


def text() -> str:
    """Return the meanings as JSON, by struct and field, the fields in the order of the wire."""
    told = protocol()
    found = {
        definition.name: {field.name: field.about for field in definition.fields}
        for definition in (*told.messages, *told.parts)
    }
    own: list[type[Struct]] = [*_structs_of_the_api(), Invitation]
    found |= {kind.__name__: meanings_of(kind) for kind in own}
    sentences = {
        struct: {name: sentence(about) for name, about in fields.items() if about} for struct, fields in found.items()
    }
    return json.dumps(sentences, ensure_ascii=False, indent=1) + "\n"


def sentence(about: str) -> str:
    """Return the meaning of a field, a phrase in the source, as a sentence."""
    return about[:1].upper() + about[1:] + ("" if about.endswith((".", "…")) else ".")


def _structs_of_the_api() -> list[type[Struct]]:
    own = [value for value in vars(replies).values() if getattr(value, "__module__", "") == replies.__name__]
    return [kind for kind in own if isinstance(kind, type) and issubclass(kind, Struct)]
