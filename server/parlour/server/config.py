"""The settings of a node. One declaration each; options, environment names and TOML keys are all made from it.

A value on the command line wins over one in the environment, that over one in the TOML file, that over the default.
Whatever is wrong with one of them raises `BadSetting`, a sentence that names the place where the value came from.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from msgspec import Struct, field
from msgspec.structs import replace

from parlour.server.kinds import (
    FOLDER,
    HOST,
    NAME,
    NETWORK,
    ORIGIN,
    PAGE,
    SOCKET,
    STORE,
    SWITCHED,
    Kind,
    choice,
    many,
    seconds,
    size,
    whole,
)
from parlour.server.log import hide_secrets

FILE = "parlour.toml"
PREFIX = "PARLOUR_"

# Names in the environment that are for others than the node.
NOT_SETTINGS = frozenset({"PARLOUR_CONFIG", "PARLOUR_GAMES", "PARLOUR_PASSWORD"})
FOR_TESTS = "PARLOUR_TEST_"
# Kubernetes puts these beside every container when a service is called parlour, and PARLOUR_PORT=tcp://… with them.
SERVICE_LINK = re.compile(r"PARLOUR_(SERVICE_\w+|PORT_[0-9]+_\w+)")
SERVICE_PORT = "tcp://"


class BadSetting(Exception):
    """A setting that cannot be used; `str()` is the sentence for people."""


class Setting(Struct, frozen=True):
    """How a setting is given, and how it is explained."""

    topic: str
    kind: Kind
    help: str
    default: str = ""  # words for a default that does not speak for itself
    secret: bool = False  # may hold a password, so it is never quoted
    hidden: bool = False  # for those who work on Parlour itself
    name: str = ""

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        return f"{PREFIX}{self.name.upper()}"


def default_data() -> Path:
    """Where programs keep a user's data on this platform."""
    try:
        home = Path.home()
    except RuntimeError:  # a container's user may have none
        return Path.cwd() / "parlour-data"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "parlour"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "parlour"
    given = Path(os.environ.get("XDG_DATA_HOME", ""))
    # The XDG rules say that a relative path is to be ignored.
    return (given if given.is_absolute() else home / ".local" / "share") / "parlour"


def default_node_name() -> str:
    """Differs between machines, containers and processes."""
    host = re.sub("[^A-Za-z0-9_-]", "-", socket.gethostname().partition(".")[0])
    return f"{host[:48] or 'node'}-{os.getpid()}"


WHERE, STORAGE, LIMITS, TIMES, REPORTS = "where it is reached", "storage", "limits", "times", "logs and metrics"


def per_minute(what: str) -> Setting:
    """How often somebody may do something."""
    return Setting(LIMITS, whole(0, 1_000_000), f"{what}; 0 for any number")


def default_workers() -> int:
    return max(1, (os.cpu_count() or 1) - 1)


class Settings(Struct, frozen=True, kw_only=True):
    """Everything that can be set about a node, checked."""

    # -- where it is reached
    host: Annotated[str, Setting(WHERE, HOST, "address to listen at; 0.0.0.0 or :: for all networks")] = "127.0.0.1"
    port: Annotated[int, Setting(WHERE, whole(0, 65535), "port to listen at; 0 takes any free one")] = 8765
    public_url: Annotated[
        str | None,
        Setting(WHERE, PAGE, "address at which people open it, if there is a proxy in front", "made of host and port"),
    ] = None
    nodes: Annotated[
        tuple[str, ...],
        Setting(WHERE, many(SOCKET), "addresses told to clients, to go on at when this node is gone", "none"),
    ] = ()
    origins: Annotated[
        tuple[str, ...],
        Setting(WHERE, many(ORIGIN), "origins of other web pages that may connect; * for any", "own pages only"),
    ] = ()
    trusted_proxies: Annotated[
        tuple[IPv4Network | IPv6Network, ...],
        Setting(WHERE, many(NETWORK), "proxies whose X-Forwarded-For is believed", "none"),
    ] = ()
    node_name: Annotated[
        str,
        Setting(WHERE, NAME, "name in logs and in the store; no two nodes may share one", "made of host and process"),
    ] = field(default_factory=default_node_name)

    # -- storage
    redis: Annotated[
        str | None,
        Setting(
            STORAGE,
            STORE,
            "Redis or Valkey to use; nodes on the same one are one parlour. Give a password by the environment or the"
            " file, since others can see the command line",
            "an own one, kept in the data folder",
            secret=True,
        ),
    ] = None
    data: Annotated[
        Path,
        Setting(STORAGE, FOLDER, "where everything is kept when no Redis is given", "the platform's place for data"),
    ] = field(default_factory=default_data)
    fsync: Annotated[
        str,
        Setting(
            STORAGE,
            choice("everysec", "always"),
            "when the own store writes through to the disk; always is slower, and survives a power cut at any moment",
        ),
    ] = "everysec"

    # -- limits
    max_connections: Annotated[int, Setting(LIMITS, whole(1, 1_000_000), "most connections of all clients")] = 10_000
    max_connections_per_address: Annotated[
        int, Setting(LIMITS, whole(1, 1_000_000), "most connections from one IP address")
    ] = 100
    message_rate: Annotated[
        int, Setting(LIMITS, whole(1, 1_000_000), "messages a second that one connection may send")
    ] = 20
    message_burst: Annotated[
        int, Setting(LIMITS, whole(1, 1_000_000), "messages that one connection may send at once after a quiet time")
    ] = 100
    send_buffer_soft: Annotated[
        int,
        Setting(
            LIMITS,
            size(1024, 1024**3),
            "bytes that may wait for one client; above it updates are left out, and the whole room is sent once the"
            " client has caught up",
        ),
    ] = 64 * 1024
    send_buffer_hard: Annotated[
        int,
        Setting(LIMITS, size(1024, 1024**3), "bytes that may wait for one client; above it the connection is closed"),
    ] = 1024 * 1024
    rooms_per_player: Annotated[
        int, Setting(LIMITS, whole(1, 10_000), "most games that one player may have running")
    ] = 50
    watchers_per_room: Annotated[int, Setting(LIMITS, whole(0, 1_000_000), "most watchers of one game")] = 5_000
    chat_rate: Annotated[int, Setting(LIMITS, whole(1, 6_000), "lines a minute that one player may say")] = 20
    guest_rate: Annotated[int, per_minute("new guests a minute from one address")] = 600
    name_rate: Annotated[int, per_minute("new accounts and bots a minute from one address")] = 30
    sign_in_rate: Annotated[
        int, per_minute("sign-ins a minute to one account, and 20 times as many from one address")
    ] = 10
    seek_rate: Annotated[
        int, per_minute("seeks and places in queues a minute for one player, and 20 times as many from one address")
    ] = 60
    challenge_rate: Annotated[
        int, per_minute("invitations a minute by one player, and 20 times as many from one address")
    ] = 30

    bot_workers: Annotated[
        int,
        Setting(
            LIMITS,
            whole(0, 256),
            "processes that think for the computer; 0 where only parlour bots does",
            "one less than there are processors, and at least one",
        ),
    ] = field(default_factory=default_workers)
    bot_pace: Annotated[
        float, Setting(TIMES, seconds(0, 10), "how long a turn of the computer lasts at least, against people")
    ] = 0.35
    bot_pace_alone: Annotated[
        float, Setting(TIMES, seconds(0, 60), "the same where the computer plays itself, so that people can follow")
    ] = 1.0

    # -- times
    hello_timeout: Annotated[
        float, Setting(TIMES, seconds(0.1, 300), "how long a new connection may take to say hello")
    ] = 10.0
    ping_interval: Annotated[
        float,
        Setting(
            TIMES,
            seconds(0.1, 300),
            "time between two pings; a client that has not answered one when the next is due is taken for lost",
        ),
    ] = 10.0
    stop_grace: Annotated[
        float, Setting(TIMES, seconds(0, 300), "how long clients have to move elsewhere when this node is stopped")
    ] = 5.0
    claim_after: Annotated[
        float,
        Setting(
            TIMES,
            seconds(0.1, 86_400),
            "how long a player must be gone until the other may claim the win; should be the same on all nodes",
        ),
    ] = 60.0
    watch_delay: Annotated[
        float, Setting(TIMES, seconds(0, 86_400), "how far watchers are behind, in rooms that do not say")
    ] = 0.0

    # -- logs and metrics
    log_format: Annotated[
        str, Setting(REPORTS, choice("auto", "text", "json"), "auto writes text on a terminal, JSON lines elsewhere")
    ] = "auto"
    log_level: Annotated[
        str, Setting(REPORTS, choice("debug", "info", "warning", "error"), "the least important lines to write")
    ] = "info"
    metrics: Annotated[bool, Setting(REPORTS, SWITCHED, "serve numbers for Prometheus at /metrics")] = True
    static: Annotated[
        Path | None,
        Setting(REPORTS, FOLDER, "serve the browser client from this folder", "the packaged one", hidden=True),
    ] = None


def _settings() -> Iterator[Setting]:
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        yield replace(hint.__metadata__[0], name=name)


SETTINGS = {setting.name: setting for setting in _settings()}


class Loaded(Struct, frozen=True):
    """The settings, and for each by its name where it came from: an option, a variable, a file, or “default”."""

    settings: Settings
    sources: Mapping[str, str]


def load(options: Mapping[str, Any], environ: Mapping[str, str], folder: Path) -> Loaded:
    """The settings from all sources.

    `options` are those of the command line by the names of the settings, and `config`; what is None was not given.
    `folder` is the current one: relative paths start there, except in the file, where they start beside it.
    """
    _refuse_unknown(environ)
    file = _file(options.get("config"), environ, folder)
    kept, beside = ({}, folder) if file is None else (_keys(file), file.parent)
    values: dict[str, Any] = {}
    sources = dict.fromkeys(SETTINGS, "default")
    for name, setting in SETTINGS.items():
        places = (
            (options.get(name), setting.option, setting.option, folder),
            (_variable(setting, environ), setting.variable, f"{setting.variable} in the environment", folder),
            (kept.get(name), str(file), f"{name} in {file}", beside),
        )
        for given, source, where, base in places:
            if given is not None:
                values[name], sources[name] = _read(setting, given, where, base), source
                break
    settings = replace(Settings(), **values)
    if settings.send_buffer_soft >= settings.send_buffer_hard:
        soft, hard = (
            f"{name} ({SETTINGS[name].kind.write(getattr(settings, name))}, {sources[name]})"
            for name in ("send_buffer_soft", "send_buffer_hard")
        )
        raise BadSetting(f"{soft} must be smaller than {hard}.")
    return Loaded(settings, sources)


def written(loaded: Loaded) -> Iterator[str]:
    """The lines of a TOML file that tell every setting and its source; defaults and passwords are commented out."""
    for topic, settings in groupby(SETTINGS.values(), key=lambda setting: setting.topic):
        yield f"# -- {topic}"
        for setting in settings:
            line = f"{setting.name} = {_toml(setting, getattr(loaded.settings, setting.name))}"
            shown = hide_secrets(line) if setting.secret else line
            source = loaded.sources[setting.name]
            aside = "# " if source == "default" or shown != line else ""
            yield f"{aside + shown:48}  # {source}"


def _toml(setting: Setting, value: Any) -> str:
    if value is None:
        return '""'
    if setting.kind.many:
        return json.dumps([setting.kind.write(item) for item in value], ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    shown = setting.kind.write(value)
    bare = isinstance(value, int | float) and re.fullmatch(r"[0-9]+(\.[0-9]+)?", shown)
    return shown if bare else json.dumps(shown, ensure_ascii=False)


def _file(option: str | None, environ: Mapping[str, str], folder: Path) -> Path | None:
    named = option or environ.get("PARLOUR_CONFIG")
    if named:
        return folder / named
    return folder / FILE if (folder / FILE).is_file() else None


def _keys(file: Path) -> dict[str, Any]:
    try:
        # Some editors put a byte order mark first.
        kept = tomllib.loads(file.read_text("utf-8-sig"))
    except OSError as fault:
        raise BadSetting(f"The settings in {file} cannot be read: {fault.strerror or fault}.") from None
    except (ValueError, RecursionError) as fault:  # no UTF-8, or no TOML
        raise BadSetting(f"{file} is not a TOML file: {fault}.") from None
    for key in kept:
        if key not in SETTINGS:
            raise BadSetting(f"{file} has “{_cut(key)}”, which is no setting.{_guess(key, list(SETTINGS))}")
    return kept


def _refuse_unknown(environ: Mapping[str, str]) -> None:
    known = {setting.variable for setting in SETTINGS.values()} | NOT_SETTINGS
    for name in environ:
        if not name.startswith(PREFIX) or name in known or name.startswith(FOR_TESTS) or SERVICE_LINK.fullmatch(name):
            continue
        guess = _guess(name.removeprefix(PREFIX), [variable.removeprefix(PREFIX) for variable in known], PREFIX)
        raise BadSetting(f"{_cut(name)} in the environment is no setting.{guess}")


def _variable(setting: Setting, environ: Mapping[str, str]) -> str | None:
    """What the environment says; an empty variable says nothing, as usual with containers."""
    value = environ.get(setting.variable, "").strip()
    return None if value == "" or (setting.name == "port" and value.startswith(SERVICE_PORT)) else value


def _read(setting: Setting, given: Any, where: str, folder: Path) -> Any:
    kind = setting.kind
    if kind.many:
        parts = given if isinstance(given, list | tuple) else [given]
        items = [item for part in parts for item in (re.split(r"[,\s]+", part) if isinstance(part, str) else [part])]
        return tuple(_read_one(setting, item, where, folder) for item in items if item != "")
    given = given.strip() if isinstance(given, str) else given
    if given == "" and getattr(Settings(), setting.name) is None:
        return None
    return _read_one(setting, given, where, folder)


def _read_one(setting: Setting, given: Any, where: str, folder: Path) -> Any:
    try:
        if isinstance(given, str) and not given.isprintable():
            raise ValueError
        value = setting.kind.read(given)
    except ValueError:
        verb, subject = ("has", "each") if setting.kind.many else ("is", "it")
        fault = "cannot be used" if setting.secret else f"{verb} “{_cut(str(given))}”"
        raise BadSetting(f"{where} {fault}: {subject} must be {setting.kind.words}.") from None
    return folder / value if isinstance(value, Path) else value


def _guess(name: str, known: list[str], prefix: str = "") -> str:
    close = get_close_matches(name[:60], known, n=1)
    return f" Did you mean {prefix}{close[0]}?" if close else " `parlour serve --help` lists them all."


def _cut(text: str) -> str:
    """A text from outside, fit to be quoted in one line."""
    short = text if len(text) <= 60 else f"{text[:60]}…"
    return "".join(letter if letter.isprintable() else "?" for letter in short)
