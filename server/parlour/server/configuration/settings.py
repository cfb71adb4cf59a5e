"""The settings of a node. Each is declared once; its option, environment variable and TOML key follow from that."""

from __future__ import annotations

import os
import re
import socket
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, get_type_hints

import platformdirs
from msgspec import Struct, field

from parlour.server.configuration import setting_types as types
from parlour.server.configuration.setting_types import SettingType, choice, duration, list_of, size, whole_number
from parlour.server.cores import available_cores

PREFIX = "PARLOUR_"


class Setting(Struct, frozen=True):
    """The declaration of a setting: its type and its help."""

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
        "prefix of all keys and channels in the store; with different prefixes, several deployments can share a server",
    ] = "parlour"
    wait_replicas: Annotated[
        int,
        whole_number(0, 9),
        "number of Redis replicas that must have a move before it is acknowledged",
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
        "when the embedded store flushes to disk; with always, moves are slower, but a power failure loses none",
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
    tournaments: Annotated[int, COUNT_OR_ZERO, "tournaments that are open or running; 0 to let players create none"] = (
        100
    )
    tournaments_per_player: Annotated[int, whole_number(1, 100), "open and running tournaments of one organiser"] = 3
    tournament_rate: Annotated[int, COUNT_OR_ZERO, "new tournaments per minute by one player; 0 for no limit"] = 2
    house_ladder: Annotated[
        tuple[str, ...],
        list_of(types.NAME),
        "games in which the computer's levels and the players' bots regularly meet in a rated arena",
        "none",
    ] = ()
    house_ladder_every: Annotated[
        float, duration(600, 31 * 86_400), "time from one arena of the house ladder to the next; the same on all nodes"
    ] = 86_400.0
    house_ladder_length: Annotated[float, duration(60, 86_400), "length of an arena of the house ladder"] = 3_600.0
    report_rate: Annotated[int, COUNT_OR_ZERO, "reports per minute by one player; 0 for no limit"] = 3
    storage_rate: Annotated[
        int,
        size(0, 1024**3),
        "bytes of new games and variations per minute for one player, about 5k for each game; 0 for no limit",
    ] = 60 * 1024
    processor_rate: Annotated[
        float, duration(0, 3600), "processor time per minute for one player, mostly to replay records; 0 for no limit"
    ] = 1.0
    engine_rate: Annotated[
        float, duration(0, 3600), "time of the computer's engines per minute for one player's hints; 0 for no limit"
    ] = 60.0

    # -- notifications
    push: Annotated[bool, types.SWITCH, "notify absent players in their browsers; use the same on all nodes"] = True
    push_key_file: Annotated[
        Path | None,
        types.FILE,
        "private key, in PEM, with which push messages are signed; use the same on all nodes",
        "created in the store",
    ] = None
    push_contact: Annotated[
        str | None,
        types.CONTACT,
        "where push services can reach you, such as mailto:you@example.org",
        "public_url",
    ] = None
    push_networks: Annotated[
        tuple[IPv4Network | IPv6Network, ...],
        list_of(types.NETWORK),
        "networks that are not public and may have push services, also on other ports and without https",
        "none",
    ] = ()

    # -- e-mail
    smtp_url: Annotated[
        str | None,
        types.SMTP_URL,
        "mail server for the recovery of accounts; needs mail_from and public_url. Pass a password in the environment "
        "or the file",
        "none, so no e-mails are sent",
    ] = None
    mail_from: Annotated[str | None, types.MAIL_ADDRESS, "sender of the e-mails", "none"] = None

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
    hello_timeout: Annotated[float, duration(0.1, 300), "time within which a new connection must send its hello"] = 10.0
    ping_interval: Annotated[
        float, duration(0.1, 300), "time between pings; a client that misses one is considered disconnected"
    ] = 10.0
    drain_delay: Annotated[
        float,
        duration(0, 300),
        "time that a node keeps serving after a stop signal, while /readyz already answers 503",
    ] = 0.0
    stop_grace: Annotated[
        float,
        duration(0, 300),
        "longest time that a stopping node takes to exit; clients have most of it to move to another node",
    ] = 10.0
    claim_after: Annotated[
        float,
        duration(0.1, 86_400),
        "time a player must be disconnected before the opponent may claim the win; use the same on all nodes",
    ] = 60.0
    rules_grace: Annotated[
        float,
        duration(1, 31_536_000),
        "time that a game waits for a node that supports its rules before it is aborted",
    ] = 60.0
    spectator_delay: Annotated[
        float, duration(0, 86_400), "delay of spectators behind the game, unless a room sets its own"
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
    "host": "network", "redis": "storage", "max_connections": "limits", "push": "notifications",
    "smtp_url": "e-mail", "bot_workers": "bots", "hello_timeout": "timing", "admin_token_file": "operators",
    "log_format": "monitoring",
}  # fmt: skip
