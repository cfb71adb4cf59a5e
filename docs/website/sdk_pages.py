"""Write the API references of the SDKs from their docstrings: `python docs/website/sdk_pages.py`, or `--check`."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import subprocess
import sys
from enum import Enum
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hatch_build
from docs.website import json_schema, python_attributes

from parlour import client as sdk

DOCS = hatch_build.ROOT / "docs"
REFERENCE = hatch_build.WEB / "docs" / "reference.mjs"
PROTOCOL = "parlour.protocol."
LONGEST = 100  # characters of a signature on one line


def pages() -> dict[Path, str]:
    """Return the files with the texts that they should have."""
    return {DOCS / "python-sdk.md": python_page(), DOCS / "typescript-sdk.md": typescript_page()}


# -- Python


def python_page() -> str:
    """Return the reference of `parlour.client`: its docstring, and every public name."""
    names = {name: getattr(sdk, name) for name in sorted(sdk.__all__, key=str.lower)}
    own = {name: value for name, value in names.items() if not _module(value).startswith(PROTOCOL)}
    parts = ["# The Python SDK", *_prose(sdk), "## Names"]
    for name, value in own.items():
        parts += [f"### {name}", *_described(name, value)]
    parts += [
        "## Messages",
        "These are messages of the protocol and parts of them, as immutable structs with the fields in the reference.",
        "\n".join(f"- {_link(name)}: {_summary(value)}" for name, value in names.items() if name not in own),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _described(name: str, value: Any) -> list[str]:
    if not (inspect.isclass(value) or inspect.isfunction(value)):
        return [f"```python\n{name} = {_alias(value)}\n```"]
    if inspect.isfunction(value):
        return [_signature(name, value), *_prose(value)]
    parts = [_signature(name, value)] if "__init__" in vars(value) or hasattr(value, "__struct_fields__") else []
    parts += _prose(value)
    parts.append(_attributes(value))
    for key, member in _members(value):
        if isinstance(member, property):
            kind = _alias(inspect.signature(member.fget).return_annotation) if member.fget else ""
            parts += [f"#### {name}.{key}", f"```python\n{key}: {kind}\n```", *_prose(member.fget)]
        else:
            function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            parts += [f"#### {name}.{key}()", _signature(key, function), *_prose(function)]
    return parts


def _attributes(value: type) -> str:
    """Return a table of the attributes of a class, or of the members of an enum."""
    found = python_attributes.attributes(value)
    if issubclass(value, Enum):
        return json_schema.table(("member", "meaning"), [(f"`{each.name}`", each.about) for each in found])
    # Not every renderer understands an escaped | in code.
    types = [f"`{each.type.replace(' | ', ' or ')}`" if each.type else "" for each in found]
    rows = [(f"`{each.name}`", kind, each.about) for each, kind in zip(found, types, strict=True)]
    return json_schema.table(("attribute", "type", "meaning"), rows)


def _members(value: type) -> list[tuple[str, Any]]:
    """Return the documented methods and properties of a class and of the SDK's classes that it extends."""
    found: dict[str, Any] = {}
    for owner in reversed(value.__mro__):
        if _module(owner).startswith("parlour."):
            found |= {key: member for key, member in vars(owner).items() if not key.startswith("_")}
    return [
        (key, member)
        for key, member in found.items()
        if isinstance(member, property | classmethod | staticmethod) or inspect.isfunction(member)
    ]


class _Annotation:
    """An annotation that is shown as in the source: without quotes, and without the modules of its names."""

    def __init__(self, annotation: Any) -> None:
        self._text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)

    def __repr__(self) -> str:
        return _alias(self._text)


def _signature(name: str, value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    shown = [
        each.replace(annotation=_Annotation(each.annotation)) if each.annotation is not each.empty else each
        for each in signature.parameters.values()
        if each.name != "self"
    ]
    returned = signature.return_annotation
    returned = returned if returned is signature.empty else _Annotation(returned)
    text = str(signature.replace(parameters=shown, return_annotation=returned))
    begin = "async def " if inspect.iscoroutinefunction(value) else "class " if inspect.isclass(value) else "def "
    text = re.sub(r"<factory>|<function .*? at \w+>|<object object at \w+>", "...", text)
    if inspect.isclass(value):
        text = text.removesuffix(" -> None")
    line = f"{begin}{name}{text}"
    if len(line) > LONGEST:
        parameters = ",\n    ".join(_parameters(text))
        line = f"{begin}{name}(\n    {parameters},\n){text[text.rindex(')') + 1 :]}"
    return f"```python\n{line}\n```"


def _parameters(text: str) -> list[str]:
    """Return the parameters of a signature as they are written."""
    depth, found = 0, [""]
    for letter in text[1 : text.rindex(")")]:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return [each.strip() for each in found]


def _alias(value: Any) -> str:
    return re.sub(r"\b(?:\w+\.)+(\w+)", r"\1", str(value))


def _prose(value: Any) -> list[str]:
    """Return a docstring as Markdown: indented blocks are code."""
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    if inspect.isclass(value) and text.startswith(f"{value.__name__}("):  # of a dataclass without one
        text = ""
    blocks = []
    for block in re.split(r"\n\n(?=\S)", text):
        if block.startswith("    ") or "\n\n    " in block:
            head, _, code = block.partition("\n\n")
            code = code or block
            blocks += [head] if code != block else []
            blocks.append("```python\n" + inspect.cleandoc(f"\n{code}") + "\n```")
        elif block:
            blocks.append(block)
    return blocks


def _summary(value: Any) -> str:
    return " ".join(inspect.cleandoc(value.__doc__ or "").partition("\n\n")[0].split())


def _link(name: str) -> str:
    value = getattr(sdk, name)
    tag = getattr(getattr(value, "__struct_config__", None), "tag", None)
    if not hasattr(value, "__struct_fields__"):
        return f"`{name}`"
    shown = name.lower() if isinstance(tag, int) else tag or name
    return f"[`{name}`](protocol.md#{shown.lower()})"


def _module(value: Any) -> str:
    return str(getattr(value, "__module__", ""))


# -- TypeScript


def typescript_page() -> str:
    """Return the reference of the TypeScript SDK, as its compiler understands the sources."""
    hatch_build.install_tools()
    done = subprocess.run(  # noqa: S603 - our own script
        [hatch_build.NODE, REFERENCE], capture_output=True, encoding="utf-8", check=True
    )
    parts = [
        "# The TypeScript SDK",
        "Every name that the SDK exports. [Its introduction](../client/web/sdk/README.md) shows how to use it. The "
        "types of messages and their parts have the names and fields of [the protocol](protocol.md#reference).",
    ]
    for group, entries in json.loads(done.stdout).items():
        parts.append(f"## {group}")
        for entry in entries:
            parts += [f"### {entry['name']}", f"```typescript\n{entry['signature']}\n```", entry["about"]]
            for member in entry.get("members", []):
                parts += [f"#### {entry['name']}.{member['name']}", f"```typescript\n{member['signature']}\n```"]
                parts.append(member["about"])
    return "\n\n".join(part for part in parts if part) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the API references of the SDKs.")
    parser.add_argument("--check", action="store_true", help="write nothing, and fail if a page is stale")
    check = parser.parse_args().check
    importlib.invalidate_caches()
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text("utf-8") != text]
    for path in stale:
        print(f"{'stale' if check else 'written'}: {path.relative_to(hatch_build.ROOT)}")
        if not check:
            path.write_text(pages()[path], "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
