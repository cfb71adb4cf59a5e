"""The settings of a node. Each is declared once; its option, environment variable and TOML key follow from that.

The command line takes precedence over the environment, the environment over the TOML file, the file over the default.
An invalid value raises `SettingError` with a sentence that names the option, variable or file it came from.

Hand-written on msgspec, which the server needs anyway. pydantic-settings merges all sources before it validates, so an
error could not say where a value came from, and its import would make `parlour --help` take half as long again.
"""

from __future__ import annotations

import json
import os
import re
import socket
import tomllib
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from ipaddress import IPv4Network, IPv6Network
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import platformdirs
from msgspec import Struct, field
from msgspec.structs import replace

from parlour.server import setting_types as types
from parlour.server.cores import available_cores
from parlour.server.logging_setup import redact
from parlour.server.setting_types import SettingType, choice, duration, list_of, size, whole_number

FILE = "parlour.toml"
PREFIX = "PARLOUR_"

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


class Setting(Struct, frozen=True):
    """How a setting is given and explained."""

    name: str
    type: SettingType
    help: str
    default: str = ""  # describes a default that is not a plain value

    @property
    def option(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    @property
    def variable(self) -> str:
        return f"{PREFIX}{self.name.upper()}"


def default_data() -> Path:
    folder = platformdirs.user_data_path("parlour", appauthor=False)
    # The user of a container may have no home.
    return folder if folder.is_absolute() else Path.cwd() / "parlour-data"


def default_node_name() -> str:
    """Return a name that differs between machines, containers and processes."""
    host = re.sub("[^A-Za-z0-9_-]", "-", socket.gethostname().partition(".")[0])
    return f"{host[:48] or 'node'}-{os.getpid()}"


def default_bot_workers() -> int:
    return max(1, available_cores() - 1)


COUNT = whole_number(1, 1_000_000)
COUNT_OR_ZERO = whole_number(0, 1_000_000)
BUFFER = size(1024, 1024**3)


class Settings(Struct, frozen=True, kw_only=True):
    """All settings of a node, validated. Each is annotated with its type, its help, and a word on its default."""

    # -- network
    host: Annotated[str, types.HOST, "address to listen on; 0.0.0.0 or :: for all networks"] = "127.0.0.1"
    port: Annotated[int, whole_number(0, 65535), "port to listen on; 0 picks any free port"] = 8765
    workers: Annotated[
        int, types.WORKERS, "processes that share the port, each of them a node; auto for one per processor"
    ] = 1
    public_url: Annotated[
        str | None, types.PAGE_URL, "address that users open, if behind a proxy", "derived from host and port"
    ] = None
    path_prefix: Annotated[
        str | None, types.PATH_PREFIX, "path below which a proxy serves the page and the socket", "that of public_url"
    ] = None
    allowed_hosts: Annotated[
        tuple[str, ...],
        list_of(types.ALLOWED_HOST),
        "host names under which the server may be reached; requests for others are refused",
        "any",
    ] = ()
    hsts: Annotated[
        bool | None,
        types.SWITCH,
        "tell browsers to use only https for this host, for half a year",
        "on if public_url is https",
    ] = None
    nodes: Annotated[
        tuple[str, ...], list_of(types.WEBSOCKET_URL), "addresses of nodes that clients can fail over to", "none"
    ] = ()
    origins: Annotated[
        tuple[str, ...],
        list_of(types.ORIGIN),
        "other web origins allowed to connect; * for any",
        "the node's own pages only",
    ] = ()
    trusted_proxies: Annotated[
        tuple[IPv4Network | IPv6Network, ...],
        list_of(types.NETWORK),
        "proxies whose X-Forwarded-For header is trusted",
        "none",
    ] = ()
    node_name: Annotated[
        str, types.NAME, "unique name of this node in logs and in the store", "host name and process id"
    ] = field(default_factory=default_node_name)

    # -- storage
    redis: Annotated[
        str | None,
        types.REDIS_URL,
        "Redis or Valkey server; all nodes that use the same one form a cluster. Pass a password in the environment or "
        "the file: other users of the machine can see the command line",
        "an embedded store in the data folder",
    ] = None
    key_prefix: Annotated[
        str,
        types.NAME,
        "beginning of all keys and channels in the store; with different ones, several deployments can share a server",
    ] = "parlour"
    wait_replicas: Annotated[
        int,
        whole_number(0, 9),
        "replicas of the Redis server that must have a move before it is confirmed",
    ] = 0
    archive: Annotated[
        str | None,
        types.ARCHIVE_URL,
        "database of finished games, PostgreSQL or a SQLite file; use the same on all nodes",
        "archive.sqlite3 in the data folder",
    ] = None
    data: Annotated[
        Path,
        types.FOLDER,
        "folder of the embedded store and of the archive",
        "the platform's folder for application data",
    ] = field(default_factory=default_data)
    fsync: Annotated[
        str,
        choice("everysec", "always"),
        "when the embedded store flushes to disk; with always, moves are slower and a power cut loses none",
    ] = "everysec"

    # -- limits
    max_connections: Annotated[int, COUNT, "connections to this node"] = 10_000
    max_connections_per_address: Annotated[int, COUNT, "connections from one IP address"] = 100
    message_rate: Annotated[int, COUNT, "messages per second from one connection"] = 20
    message_burst: Annotated[int, COUNT, "messages that one connection may send at once after a pause"] = 100
    send_buffer_soft: Annotated[
        int,
        BUFFER,
        "unsent bytes for one client above which updates are skipped; it gets a snapshot once it has caught up",
    ] = 64 * 1024
    send_buffer_hard: Annotated[int, BUFFER, "unsent bytes for one client above which its connection is closed"] = (
        1024 * 1024
    )
    rooms_per_player: Annotated[int, whole_number(1, 10_000), "games that one player may have in progress"] = 50
    spectators_per_room: Annotated[int, COUNT_OR_ZERO, "spectators of one game"] = 5_000
    seeks_per_player: Annotated[int, whole_number(1, 500), "open seeks of one player"] = 20
    seeks_per_address: Annotated[int, whole_number(1, 500), "open seeks from one address"] = 60
    players_per_address: Annotated[
        int, whole_number(1, 10_000), "players who may use their full budgets at one address at the same time"
    ] = 20
    unlimited_networks: Annotated[
        tuple[IPv4Network | IPv6Network, ...],
        list_of(types.NETWORK),
        "networks to which the limits per minute do not apply, such as that of your own bots",
        "none",
    ] = ()
    guest_rate: Annotated[int, COUNT_OR_ZERO, "new guests per minute from one address; 0 for no limit"] = 60
    name_rate: Annotated[int, COUNT_OR_ZERO, "new accounts and bots per minute from one address; 0 for no limit"] = 10
    sign_in_rate: Annotated[int, COUNT_OR_ZERO, "sign-ins per minute to one account; 0 for no limit"] = 10
    seek_rate: Annotated[int, COUNT_OR_ZERO, "seeks and queue entries per minute by one player; 0 for no limit"] = 60
    challenge_rate: Annotated[int, COUNT_OR_ZERO, "challenges per minute by one player; 0 for no limit"] = 30
    chat_rate: Annotated[int, COUNT_OR_ZERO, "chat lines per minute from one player; 0 for no limit"] = 20
    report_rate: Annotated[int, COUNT_OR_ZERO, "reports per minute by one player; 0 for no limit"] = 3
    storage_rate: Annotated[
        int,
        size(0, 1024**3),
        "bytes of new games per minute for one player, about 5k for each game; 0 for no limit",
    ] = 60 * 1024
    processor_rate: Annotated[
        float, duration(0, 3600), "processor time per minute for one player, mostly to replay records; 0 for no limit"
    ] = 1.0
    engine_rate: Annotated[
        float, duration(0, 3600), "time of the computer's engines per minute for one player's hints; 0 for no limit"
    ] = 60.0

    # -- bots
    bot_workers: Annotated[
        int,
        whole_number(0, 256),
        "processes that compute the moves of the built-in bots; 0 if only `parlour worker` does",
        "one less than the number of processors, at least 1",
    ] = field(default_factory=default_bot_workers)
    bot_pace: Annotated[float, duration(0, 10), "minimum time of a bot's turn against a person"] = 0.35
    bot_pace_alone: Annotated[float, duration(0, 60), "minimum time of a bot's turn against another bot"] = 1.0

    # -- timing
    hello_timeout: Annotated[float, duration(0.1, 300), "time that a new connection has to send its hello"] = 10.0
    ping_interval: Annotated[
        float, duration(0.1, 300), "time between pings; a client that misses one is considered disconnected"
    ] = 10.0
    drain_delay: Annotated[
        float,
        duration(0, 300),
        "time that a node goes on serving after a stop signal, while /readyz already answers 503",
    ] = 0.0
    stop_grace: Annotated[
        float,
        duration(0, 300),
        "time after which a node that stops has exited; clients have most of it to move to another node",
    ] = 10.0
    claim_after: Annotated[
        float,
        duration(0.1, 86_400),
        "time a player must be disconnected before the opponent may claim the win; use the same on all nodes",
    ] = 60.0
    rules_grace: Annotated[
        float,
        duration(1, 31_536_000),
        "how long a game waits for a node that supports the version of its rules, before it is aborted",
    ] = 60.0
    spectator_delay: Annotated[
        float, duration(0, 86_400), "how far spectators lag behind, unless a room sets its own delay"
    ] = 0.0

    # -- operators
    admin_token_file: Annotated[
        Path | None,
        types.FILE,
        "names and tokens of operators, one per line; it turns the admin API and its page on",
        "off",
    ] = None
    admin_host: Annotated[str, types.HOST, "address of the admin API and its page"] = "127.0.0.1"
    admin_port: Annotated[int, whole_number(0, 65535), "port of the admin API and its page; 0 picks any free port"] = (
        8766
    )

    # -- monitoring
    log_format: Annotated[
        str, choice("auto", "text", "json"), "auto is text on a terminal and JSON lines elsewhere"
    ] = "auto"
    log_level: Annotated[str, choice("debug", "info", "warning", "error"), "least severe level to log"] = "info"
    metrics: Annotated[
        str,
        choice("local", "public", "off"),
        "who may read the Prometheus metrics at /metrics; local is this machine, without a proxy in between",
    ] = "local"
    monitoring: Annotated[
        tuple[str, int] | None,
        types.LISTEN_ADDRESS,
        "another address for /metrics, /healthz and /readyz, which should not be public",
        "none",
    ] = None
    static: Annotated[Path | None, types.FOLDER, "serve the browser client from this folder", "the packaged one"] = None


SETTINGS = {
    name: Setting(name, *hint.__metadata__) for name, hint in get_type_hints(Settings, include_extras=True).items()
}
# The heading of each section, by the name of its first setting.
SECTIONS = {
    "host": "network", "redis": "storage", "max_connections": "limits", "bot_workers": "bots",
    "hello_timeout": "timing", "admin_token_file": "operators", "log_format": "monitoring",
}  # fmt: skip


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
    except (ValueError, RecursionError) as error:  # neither UTF-8 nor TOML
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
