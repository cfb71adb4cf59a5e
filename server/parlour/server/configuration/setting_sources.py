"""Where settings come from: the command line, the environment, and a TOML file.

The command line takes precedence over the environment, the environment over the TOML file, and the file over the
default. An invalid value raises `SettingError` with a sentence that names the option, variable or file it came from.

Hand-written on msgspec, which the server needs anyway. pydantic-settings merges all sources before it validates, so an
error could not say where a value came from, and its import would make `parlour --help` take half as long again.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from operator import attrgetter
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.configuration.setting_types import SettingType
from parlour.server.configuration.settings import PREFIX, SECTIONS, SETTINGS, Setting, Settings
from parlour.server.logging_setup import redact

FILE = "parlour.toml"

# Variables with our prefix that are not settings of a node.
OTHER_VARIABLES = frozenset({
    "PARLOUR_ADMIN_SERVER", "PARLOUR_ADMIN_TOKEN", "PARLOUR_CONFIG", "PARLOUR_GAMES", "PARLOUR_PASSWORD",
    "PARLOUR_SERVER", "PARLOUR_TOKEN",
})  # fmt: skip
TEST_PREFIX = "PARLOUR_TEST_"
# Kubernetes sets these in every container if a service is called parlour, and also PARLOUR_PORT=tcp://….
KUBERNETES_VARIABLE = re.compile(r"PARLOUR_(SERVICE_\w+|PORT_[0-9]+_\w+)")
KUBERNETES_PORT = "tcp://"


class SettingError(Exception):
    """A setting that cannot be used; `str()` is a sentence for the user."""


class Loaded(Struct, frozen=True):
    """The settings, and the source of each by name: an option, a variable, a file, or “default”."""

    settings: Settings
    sources: Mapping[str, str]


def load(options: Mapping[str, Any], environ: Mapping[str, str], folder: Path) -> Loaded:
    """Return the settings from all sources, or raise SettingError.

    `options` holds the command-line options by setting name, and `config`; None means not given. Relative paths start
    at `folder`, the current one; those in the TOML file start at the folder of that file.
    """
    _refuse_unknown_variables(environ)
    file = _find_file(options.get("config"), environ, folder)
    in_file, file_folder = ({}, folder) if file is None else (_read_file(file), file.parent)
    values: dict[str, Any] = {}
    sources = dict.fromkeys(SETTINGS, "default")
    for name, setting in SETTINGS.items():
        for given, source, where, base in (
            (options.get(name), setting.option, setting.option, folder),
            (_variable(setting, environ), setting.variable, f"{setting.variable} in the environment", folder),
            (in_file.get(name), str(file), f"{name} in {file}", file_folder),
        ):
            if given is not None:
                values[name], sources[name] = _parse(setting, given, where, base), source
                break
    settings = replace(Settings(), **values)
    if settings.send_buffer_soft >= settings.send_buffer_hard:
        soft, hard = (
            f"{name} ({SETTINGS[name].type.format(getattr(settings, name))}, {sources[name]})"
            for name in ("send_buffer_soft", "send_buffer_hard")
        )
        raise SettingError(f"{soft} must be smaller than {hard}.")
    if settings.smtp_url is not None and (settings.mail_from is None or settings.public_url is None):
        raise SettingError(
            f"smtp_url ({sources['smtp_url']}) needs mail_from and public_url, for the links in e-mails."
        )
    return Loaded(settings, sources)


def to_environment(settings: Settings) -> dict[str, str]:
    """Return the variables from which another process loads the same settings. They include secrets."""
    variables = {"PARLOUR_CONFIG": os.devnull}
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        if value is not None:
            items = value if setting.type.is_list else (value,)
            variables[setting.variable] = ",".join(map(setting.type.format, items))
    return variables


def to_toml(loaded: Loaded) -> Iterator[str]:
    """Yield the lines of a TOML file with every setting and its source; defaults and secrets are commented out."""
    for name, setting in SETTINGS.items():
        if name in SECTIONS:
            yield f"# -- {SECTIONS[name]}"
        line = f"{name} = {_toml_value(setting.type, getattr(loaded.settings, name))}"
        shown = redact(line) if setting.type.is_secret else line
        comment = "# " if loaded.sources[name] == "default" or shown != line else ""
        yield f"{comment + shown:48}  # {loaded.sources[name]}"


def _toml_value(kind: SettingType, value: Any) -> str:
    if value is None:
        return '""'
    if kind.is_list:
        return json.dumps([kind.format(item) for item in value], ensure_ascii=False)
    text = kind.format(value)
    is_number = kind.unquoted and re.fullmatch(r"[0-9]+(\.[0-9]+)?", text)
    return text if is_number else json.dumps(text, ensure_ascii=False)


# -- sources


def _find_file(option: str | None, environ: Mapping[str, str], folder: Path) -> Path | None:
    if named := option or environ.get("PARLOUR_CONFIG"):
        return folder / named
    return folder / FILE if (folder / FILE).is_file() else None


def _read_file(file: Path) -> dict[str, Any]:
    try:
        # Some editors write a byte order mark.
        content = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as error:
        raise SettingError(f"The settings file {file} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise SettingError(f"{file} is not a TOML file: {error}.") from None
    for key in content:
        if key not in SETTINGS:
            suggestion = _suggest(key, attrgetter("name"))
            raise SettingError(f"{file} has “{_quotable(key)}”, which is not a setting.{suggestion}")
    return content


def _refuse_unknown_variables(environ: Mapping[str, str]) -> None:
    known = {setting.variable for setting in SETTINGS.values()} | OTHER_VARIABLES
    for name in environ:
        is_ours = name.startswith(PREFIX) and not name.startswith(TEST_PREFIX)
        if is_ours and name not in known and not KUBERNETES_VARIABLE.fullmatch(name):
            suggestion = _suggest(name.removeprefix(PREFIX), attrgetter("variable"))
            raise SettingError(f"{_quotable(name)} in the environment is not a setting.{suggestion}")


def _variable(setting: Setting, environ: Mapping[str, str]) -> str | None:
    """Return the value of the variable; an empty one counts as not set, since containers often have those."""
    value = environ.get(setting.variable, "").strip()
    return None if value == "" or (setting.name == "port" and value.startswith(KUBERNETES_PORT)) else value


# -- values


def _parse(setting: Setting, given: Any, where: str, folder: Path) -> Any:
    if setting.type.is_list:
        parts = given if isinstance(given, list | tuple) else [given]
        items = [item for part in parts for item in (re.split(r"[,\s]+", part) if isinstance(part, str) else [part])]
        return tuple(_parse_one(setting, item, where, folder) for item in items if item != "")
    given = given.strip() if isinstance(given, str) else given
    if given == "" and getattr(Settings(), setting.name) is None:
        return None
    return _parse_one(setting, given, where, folder)


def _parse_one(setting: Setting, given: Any, where: str, folder: Path) -> Any:
    try:
        if type(given) not in (str, *setting.type.unquoted) or not str(given).isprintable():
            raise ValueError
        value = setting.type.parse(str(given))
    except ValueError:
        verb, subject = ("contains", "each item") if setting.type.is_list else ("is", "it")
        problem = "is invalid" if setting.type.is_secret else f"{verb} “{_quotable(str(given))}”"
        raise SettingError(f"{where} {problem}: {subject} must be {setting.type.allowed}.") from None
    return folder / value if isinstance(value, Path) else value


def _suggest(name: str, spelling: Callable[[Setting], str]) -> str:
    close = get_close_matches(name.lower()[:60], SETTINGS, n=1)
    return f" Did you mean {spelling(SETTINGS[close[0]])}?" if close else " `parlour serve --help` lists all settings."


def _quotable(text: str) -> str:
    """Return user input shortened and without control characters, so that it fits on one line."""
    short = text if len(text) <= 60 else f"{text[:60]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)
