"""Where settings come from, which values are allowed, and how an invalid one is explained."""

from __future__ import annotations

import tomllib
from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour.server.configuration.setting_sources import FILE, SettingError, load, to_environment, to_toml
from parlour.server.configuration.settings import SECTIONS, SETTINGS, Settings

ANYTHING = (
    st.text()
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.none()
    | st.lists(st.text() | st.integers(), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
    | st.sampled_from(
        ["٣", "1e3", "0x10", "1_000", "-1", "9" * 400, "redis://[", "ws://a:x", "~unknown-user", "\0", "１k"]
    )
)


def sentence(options: dict[str, object], environ: dict[str, str], folder: Path) -> str:
    with pytest.raises(SettingError) as caught:
        load(options, environ, folder)
    return str(caught.value)


def write(folder: Path, text: str, name: str = FILE) -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


# -- where values come from


def test_everything_has_a_default(tmp_path: Path) -> None:
    """Without any source every setting has its default, which its own type accepts."""
    loaded = load({}, {}, tmp_path)

    assert loaded.settings == Settings()
    assert set(loaded.sources.values()) == {"default"}
    for name, setting in SETTINGS.items():
        value = getattr(loaded.settings, name)
        for item in value if setting.type.is_list else [value]:
            assert item is None or setting.type.parse(setting.type.format(item)) == item


def test_sources_have_an_order_of_precedence(tmp_path: Path) -> None:
    """The command line takes precedence over the environment, that over the file, that over the default."""
    file = write(tmp_path, "port = 1\nmessage_rate = 1\nchat_rate = 1\n")
    environ = {"PARLOUR_PORT": "2", "PARLOUR_MESSAGE_RATE": "2"}

    loaded = load({"port": "3"}, environ, tmp_path)

    found = loaded.settings
    assert (found.port, found.message_rate, found.chat_rate, found.message_burst) == (3, 2, 1, Settings().message_burst)
    sources = [loaded.sources[name] for name in ("port", "message_rate", "chat_rate", "message_burst")]
    assert sources == ["--port", "PARLOUR_MESSAGE_RATE", str(file), "default"]


def test_the_file_can_be_named(tmp_path: Path) -> None:
    """--config takes precedence over PARLOUR_CONFIG, and that over parlour.toml; only one of them is read."""
    write(tmp_path, "port = 1")
    write(tmp_path, "port = 2", "two.toml")
    write(tmp_path, "port = 3", "three.toml")
    environ = {"PARLOUR_CONFIG": "two.toml"}

    assert load({}, {}, tmp_path).settings.port == 1
    assert load({}, environ, tmp_path).settings.port == 2
    assert load({"config": "three.toml"}, environ, tmp_path).settings.port == 3


@pytest.mark.parametrize("name", list(SETTINGS))
def test_every_setting_can_be_given_in_every_way(name: str, tmp_path: Path) -> None:
    """The option, variable and key of a setting follow from its name, and accept the same text."""
    setting = SETTINGS[name]
    texts = {
        "host": "::", "public_url": "https://a.example", "nodes": "wss://a.example/ws", "origins": "https://a.example",
        "trusted_proxies": "10.0.0.0/8", "unlimited_networks": "10.0.0.0/8",
        "push": "off", "push_contact": "mailto:a@b", "push_networks": "127.0.0.1",
        "node_name": "a", "redis": "redis://a:1/2", "data": "/a", "fsync": "always",
        "archive": "postgresql://a/b", "path_prefix": "/a", "allowed_hosts": "a.example", "hsts": "on",
        "log_format": "json", "log_level": "error", "metrics": "off", "static": "/b", "send_buffer_soft": "2k",
        "send_buffer_hard": "2M", "smtp_url": "smtps://a", "mail_from": "a@b", "house_ladder_every": "2h",
        "house_ladder_length": "2m",
    }  # fmt: skip
    needed = {"mail_from": "a@b", "public_url": "https://a.example"} if name == "smtp_url" else {}
    text = texts.get(name, "7")
    write(tmp_path, f'{name} = "{text}"', "a.toml")

    ways = (
        load({name: text, **needed}, {}, tmp_path),
        load(needed, {setting.variable: text}, tmp_path),
        load({"config": "a.toml", **needed}, {}, tmp_path),
    )

    assert setting.option == f"--{name.replace('_', '-')}"
    assert setting.variable == f"PARLOUR_{name.upper()}"
    assert [loaded.sources[name] for loaded in ways] == [setting.option, setting.variable, str(tmp_path / "a.toml")]
    (value,) = {getattr(loaded.settings, name) for loaded in ways}
    assert value != getattr(Settings(), name)


def test_an_empty_variable_counts_as_not_set(tmp_path: Path) -> None:
    """Containers often have empty variables; the file still counts then."""
    write(tmp_path, "port = 1")

    assert load({}, {"PARLOUR_PORT": "", "PARLOUR_REDIS": " "}, tmp_path).settings.port == 1


def test_an_empty_text_unsets_an_address(tmp_path: Path) -> None:
    """A setting that may be None is None if an empty text is given."""
    write(tmp_path, 'redis = "redis://a"')

    assert load({}, {}, tmp_path).settings.redis == "redis://a"
    assert load({"redis": ""}, {}, tmp_path).settings.redis is None


def test_paths_are_relative_to_their_source(tmp_path: Path) -> None:
    """A relative path in the file starts at the folder of the file, elsewhere at the current folder."""
    (tmp_path / "etc").mkdir()
    write(tmp_path / "etc", 'data = "kept"')

    assert load({"config": "etc/parlour.toml"}, {}, tmp_path).settings.data == tmp_path / "etc" / "kept"
    assert load({"data": "kept"}, {}, tmp_path).settings.data == tmp_path / "kept"


# -- values


@pytest.mark.parametrize(
    ("name", "given", "value"),
    [
        ("port", "0", 0),
        ("port", 65535, 65535),
        ("send_buffer_soft", "256k", 262_144),
        ("send_buffer_soft", "2048", 2048),
        ("send_buffer_hard", "2 MiB", 2_097_152),
        ("send_buffer_hard", 70_000, 70_000),
        ("stop_grace", "2m", 120.0),
        ("stop_grace", "500ms", 0.5),
        ("stop_grace", "0", 0.0),
        ("stop_grace", 3, 3.0),
        ("claim_after", "1h", 3600.0),
        ("hsts", "Off", False),
        ("hsts", "yes", True),
        ("hsts", False, False),
        ("metrics", "Public", "public"),
        ("monitoring", "9464", ("127.0.0.1", 9464)),
        ("monitoring", 9464, ("127.0.0.1", 9464)),
        ("monitoring", "0.0.0.0:9464", ("0.0.0.0", 9464)),
        ("monitoring", "[::]:9464", ("::", 9464)),
        ("path_prefix", "/games/parlour", "/games/parlour"),
        ("allowed_hosts", "play.example.org,[::1]", ("play.example.org", "[::1]")),
        ("log_level", "DEBUG", "debug"),
        ("host", "::1", "::1"),
        ("redis", "rediss://user:pass@host:6379/2?health_check_interval=5", None),
        ("redis", "unix:///run/redis.sock?db=1", None),
        ("redis", "redis+cluster://user:pass@a:7000,b:7001,[::1]:7002", None),
        ("redis", "rediss+sentinel://a:26379,b/service/3?sentinel_password=p", None),
        ("public_url", "https://play.example.org/", "https://play.example.org"),
        ("nodes", "ws://a:1/ws, ws://b/ws", ("ws://a:1/ws", "ws://b/ws")),
        ("nodes", ["ws://a/ws", "ws://b/ws,ws://c/ws"], ("ws://a/ws", "ws://b/ws", "ws://c/ws")),
        ("nodes", [], ()),
        ("origins", "HTTPS://A.example/ *", ("https://a.example", "*")),
        ("trusted_proxies", "127.0.0.1 ::1,10.1.2.3/8", tuple(map(ip_network, ("127.0.0.1", "::1", "10.0.0.0/8")))),
        ("data", "~/games", Path.home() / "games"),
    ],
)
def test_values_are_written_in_the_usual_ways(name: str, given: object, value: object, tmp_path: Path) -> None:
    """Sizes and times may have units, switches several words, and lists commas or spaces."""
    assert getattr(load({name: given}, {}, tmp_path).settings, name) == (given if value is None else value)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("port", "65536"),
        ("port", "-1"),
        ("port", "80.0"),
        ("port", "٨٠"),
        ("port", "9" * 5000),
        ("port", True),
        ("port", 80.0),
        ("port", [80]),
        ("message_rate", "0"),
        ("send_buffer_soft", "64q"),
        ("send_buffer_soft", "1"),
        ("stop_grace", "-1"),
        ("stop_grace", "nan"),
        ("stop_grace", float("nan")),
        ("stop_grace", "301"),
        ("stop_grace", True),
        ("hsts", "maybe"),
        ("hsts", 1),
        ("metrics", "on"),
        ("monitoring", "localhost"),
        ("monitoring", "127.0.0.1:99999"),
        ("path_prefix", "parlour"),
        ("path_prefix", "/parlour/"),
        ("path_prefix", "/a b"),
        ("allowed_hosts", "play.example.org:80"),
        ("allowed_hosts", "https://play.example.org"),
        ("fsync", "never"),
        ("fsync", ""),
        ("host", ""),
        ("host", "a b"),
        ("host", "http://a"),
        ("node_name", "a/b"),
        ("redis", "localhost:6379"),
        ("redis", "http://localhost"),
        ("redis", "redis://"),
        ("redis", "redis://a:b"),
        ("redis", "redis://a:99999"),
        ("redis", "redis://a/b"),
        ("redis", "redis+cluster://a:1,b:99999"),
        ("redis", "redis+cluster://a,"),
        ("redis", "redis+sentinel://a:1,b:2"),
        ("redis", "redis://[::1"),
        ("redis", "unix://relative.sock"),
        ("public_url", "https://"),
        ("public_url", "play.example.org"),
        ("public_url", "https://user@a"),
        ("nodes", "https://a/ws"),
        ("nodes", ["ws://a/ws", 7]),
        ("nodes", 7),
        ("origins", "a.example"),
        ("origins", "https://a.example/page"),
        ("trusted_proxies", "localhost"),
        ("trusted_proxies", [2130706433]),
        ("trusted_proxies", "10.0.0.0/33"),
        ("data", ""),
        ("data", "~no-such-user/games"),
        ("data", "a\nb"),
        ("data", 7),
    ],
)
def test_a_bad_value_is_explained(name: str, given: object, tmp_path: Path) -> None:
    """A value out of range or of another type is refused in one line: where, what was given, and what is allowed."""
    message = sentence({name: given}, {}, tmp_path)

    assert message.startswith(f"{SETTINGS[name].option} ")
    assert message.endswith(f" must be {SETTINGS[name].type.allowed}.")
    assert message.isprintable()
    assert len(message) < 300


def test_a_bad_value_is_reported_with_its_source(tmp_path: Path) -> None:
    """The sentence names the option, the variable, or the key and its file."""
    allowed = "it must be a whole number from 0 to 65535."

    assert sentence({"port": "x"}, {}, tmp_path) == f"--port is “x”: {allowed}"
    assert sentence({}, {"PARLOUR_PORT": "x"}, tmp_path) == f"PARLOUR_PORT in the environment is “x”: {allowed}"
    file = write(tmp_path, "port = 99999")
    assert sentence({}, {}, tmp_path) == f"port in {file} is “99999”: {allowed}"


def test_one_bad_item_of_a_list_is_named(tmp_path: Path) -> None:
    """An error about a list quotes only the item that is wrong."""
    message = sentence({"nodes": ["ws://a/ws,b"]}, {}, tmp_path)

    assert message == "--nodes contains “b”: each item must be an address such as wss://play.example.org/ws."


def test_buffers_must_fit_together(tmp_path: Path) -> None:
    """The limit that closes a connection must exceed the one that skips updates."""
    message = sentence({"send_buffer_soft": "1M"}, {"PARLOUR_SEND_BUFFER_HARD": "512k"}, tmp_path)

    assert message == (
        "send_buffer_soft (1M, --send-buffer-soft) must be smaller than "
        "send_buffer_hard (512k, PARLOUR_SEND_BUFFER_HARD)."
    )


def test_e_mails_need_a_sender_and_links(tmp_path: Path) -> None:
    """A mail server alone is refused, without its address, which may have a password."""
    message = sentence({"smtp_url": "smtps://user:password@mail.example.org"}, {"PARLOUR_MAIL_FROM": "a@b"}, tmp_path)

    assert message.startswith("smtp_url (--smtp-url) needs mail_from and public_url")
    assert "password" not in message


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(SETTINGS)), value=ANYTHING)
def test_any_value_is_accepted_or_refused(name: str, value: object, tmp_path: Path) -> None:
    """Any value is either accepted or refused with a sentence on one line."""
    try:
        load({name: value}, {}, tmp_path)
    except SettingError as bad:
        assert str(bad).isprintable()


# -- names


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    """A misspelt name is not silently ignored, and the right one is suggested."""
    message = sentence({}, {"PARLOUR_PROT": "1"}, tmp_path)
    assert message == "PARLOUR_PROT in the environment is not a setting. Did you mean PARLOUR_PORT?"

    message = sentence({}, {"PARLOUR_BANANA": "1"}, tmp_path)
    assert message == "PARLOUR_BANANA in the environment is not a setting. `parlour serve --help` lists all settings."

    file = write(tmp_path, "max_conections = 5")
    assert sentence({}, {}, tmp_path) == (
        f"{file} has “max_conections”, which is not a setting. Did you mean max_connections?"
    )


def test_unrelated_variables_are_ignored(tmp_path: Path) -> None:
    """Variables of other commands, of tests and of Kubernetes are not mistaken for settings."""
    write(tmp_path, "", "a.toml")
    environ = {
        "PATH": "/bin",
        "PARLOUR_GAMES": "/games",
        "PARLOUR_CONFIG": "a.toml",
        "PARLOUR_PASSWORD": "hunter2",
        "PARLOUR_TOKEN": "abc",
        "PARLOUR_TEST_ANYTHING": "1",
        "PARLOUR_SERVICE_HOST": "10.0.0.1",
        "PARLOUR_PORT": "tcp://10.0.0.1:8765",
        "PARLOUR_PORT_8765_TCP_ADDR": "10.0.0.1",
    }

    assert load({}, environ, tmp_path).settings == Settings()


# -- files


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"port = \n", "is not a TOML file: Invalid value (at line 1, column 8)."),
        (b"\xff\xfe", "is not a TOML file: "),
        (b"[network]\nport = 1", "has “network”, which is not a setting."),
        (b"a = " + b"[" * 5000, "is not a TOML file: "),
    ],
)
def test_a_bad_file_is_explained(content: bytes, words: str, tmp_path: Path) -> None:
    """A file that is not TOML is refused with its name and the place of the error."""
    file = tmp_path / FILE
    file.write_bytes(content)

    assert sentence({}, {}, tmp_path).startswith(f"{file} {words}")


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    """Only parlour.toml in the current folder may be missing."""
    message = sentence({"config": "missing.toml"}, {}, tmp_path)

    assert message == f"The settings file {tmp_path / 'missing.toml'} cannot be read: No such file or directory."
    assert sentence({"config": "."}, {}, tmp_path).endswith("cannot be read: Is a directory.")


def test_a_byte_order_mark_is_accepted(tmp_path: Path) -> None:
    """Some editors write one at the beginning of every file."""
    write(tmp_path, "\ufeffport = 1")

    assert load({}, {}, tmp_path).settings.port == 1


# -- printing the settings


def test_the_settings_are_printed_as_a_file(tmp_path: Path) -> None:
    """The printed lines can be saved as parlour.toml, which then gives the same settings."""
    given = {
        "port": "0", "nodes": "ws://a/ws,ws://b/ws", "send_buffer_soft": "3000", "stop_grace": "0.25", "metrics": "off",
        "trusted_proxies": "::1", "data": 'a "b"', "node_name": "7", "redis": "redis://a", "static": "é",
    }  # fmt: skip
    loaded = load(given, {}, tmp_path)
    text = "\n".join(to_toml(loaded))

    file = write(tmp_path, text)
    again = load({}, {}, tmp_path)

    assert again.settings == loaded.settings
    assert {name for name, source in again.sources.items() if source == str(file)} == set(given)


def test_every_setting_is_printed_with_its_source(tmp_path: Path) -> None:
    """Each setting has one line; a default is commented out, so that saving the text does not pin it."""
    lines = list(to_toml(load({"port": "1"}, {"PARLOUR_HOST": "::"}, tmp_path)))

    names = [line.removeprefix("# ").split(" = ")[0] for line in lines if " = " in line]
    assert names == list(SETTINGS)
    assert [line.split() for line in lines[1:3]] == [
        ["host", "=", '"::"', "#", "PARLOUR_HOST"],
        ["port", "=", "1", "#", "--port"],
    ]
    assert set(tomllib.loads("\n".join(lines))) == {"host", "port"}


@pytest.mark.parametrize("address", ["redis://u:hunter2@a", "redis://:hu@nter2@a/1", "redis://a?password=hunter2"])
def test_passwords_are_never_printed(address: str, tmp_path: Path) -> None:
    """Neither the list of settings nor an error repeats a value that may contain a password."""
    text = "\n".join(to_toml(load({"redis": address}, {}, tmp_path)))
    message = sentence({"redis": address.replace("redis:", "reds:")}, {}, tmp_path)

    assert "***" in text
    assert message.startswith("--redis is invalid: it must be an address such as redis://localhost:6379/0")
    for shown in (text, message):
        assert "hunter2" not in shown
        assert "nter2" not in shown


def test_settings_are_passed_on_in_the_environment(tmp_path: Path) -> None:
    """Another process loads the same ones, whatever its folder contains."""
    write(tmp_path, "port = 1\nredis = 'redis://elsewhere'\n")
    chosen = Settings(
        host="::1", port=8001, workers=3, nodes=("ws://a/ws", "ws://b/ws"), metrics="off", stop_grace=0.5,
        monitoring=("::1", 9464), hsts=False, path_prefix="/parlour", allowed_hosts=("a.example",),
        redis="redis://user:p@ss@host:6379/2", trusted_proxies=(ip_network("10.0.0.0/8"),), send_buffer_soft=70_000,
    )  # fmt: skip

    for passed_on in (chosen, Settings()):
        assert load({}, to_environment(passed_on), tmp_path).settings == passed_on


def test_sections_begin_at_settings() -> None:
    """Each section is named by its first setting, and the first setting begins one."""
    assert set(SECTIONS) <= set(SETTINGS)
    assert next(iter(SECTIONS)) == next(iter(SETTINGS))


# -- defaults of the platform


def test_the_data_folder_is_the_usual_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is below XDG_DATA_HOME if that is absolute, as the specification says, and else below ~/.local/share."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert Settings().data == tmp_path / "xdg" / "parlour"

    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert Settings().data == tmp_path / ".local" / "share" / "parlour"
