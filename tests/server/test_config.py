"""Where settings come from, which are allowed, and what is said about the others."""

from __future__ import annotations

import tomllib
from ipaddress import ip_network
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from parlour.server import config
from parlour.server.config import SETTINGS, BadSetting, Settings, load

ANYTHING = (
    st.text()
    | st.integers()
    | st.floats()
    | st.booleans()
    | st.none()
    | st.lists(st.text() | st.integers(), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
    | st.sampled_from(
        ["٣", "1e3", "0x10", "1_000", "-1", "9" * 400, "redis://[", "ws://a:x", "~nobody-here", "\0", "１k"]
    )
)


def sentence(options: dict[str, object], environ: dict[str, str], folder: Path) -> str:
    with pytest.raises(BadSetting) as caught:
        load(options, environ, folder)
    return str(caught.value)


def write(folder: Path, text: str, name: str = config.FILE) -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


# -- where values come from


def test_nothing_has_to_be_set(tmp_path: Path) -> None:
    """Without any source every setting has its default, which is within its own range."""
    loaded = load({}, {}, tmp_path)

    assert loaded.settings == Settings()
    assert set(loaded.sources.values()) == {"default"}
    for name, setting in SETTINGS.items():
        value = getattr(loaded.settings, name)
        for item in value if setting.kind.many else [value]:
            assert item is None or setting.kind.read(setting.kind.write(item)) == item


def test_the_nearer_source_wins(tmp_path: Path) -> None:
    """The command line wins over the environment, that over the file, that over the default."""
    file = write(tmp_path, "port = 1\nmessage_rate = 1\nchat_rate = 1\n")
    environ = {"PARLOUR_PORT": "2", "PARLOUR_MESSAGE_RATE": "2"}

    loaded = load({"port": "3"}, environ, tmp_path)

    made = loaded.settings
    assert (made.port, made.message_rate, made.chat_rate, made.message_burst) == (3, 2, 1, Settings().message_burst)
    sources = [loaded.sources[name] for name in ("port", "message_rate", "chat_rate", "message_burst")]
    assert sources == ["--port", "PARLOUR_MESSAGE_RATE", str(file), "default"]


def test_the_file_can_be_named(tmp_path: Path) -> None:
    """--config wins over PARLOUR_CONFIG, which wins over parlour.toml; only one of them is read."""
    write(tmp_path, "port = 1")
    write(tmp_path, "port = 2", "two.toml")
    write(tmp_path, "port = 3", "three.toml")
    environ = {"PARLOUR_CONFIG": "two.toml"}

    assert load({}, {}, tmp_path).settings.port == 1
    assert load({}, environ, tmp_path).settings.port == 2
    assert load({"config": "three.toml"}, environ, tmp_path).settings.port == 3


@pytest.mark.parametrize("name", list(SETTINGS))
def test_every_setting_can_be_given_in_every_way(name: str, tmp_path: Path) -> None:
    """Option, variable and key of a setting are made from its name, and read the same text."""
    setting = SETTINGS[name]
    texts = {
        "host": "::", "public_url": "https://a.example", "nodes": "wss://a.example/ws", "origins": "https://a.example",
        "trusted_proxies": "10.0.0.0/8", "node_name": "a", "redis": "redis://a:1/2", "data": "/a", "fsync": "always",
        "log_format": "json", "log_level": "error", "metrics": "off", "static": "/b", "send_buffer_soft": "2k",
        "send_buffer_hard": "2M",
    }  # fmt: skip
    text = texts.get(name, "7")
    write(tmp_path, f'{name} = "{text}"', "a.toml")

    ways = (
        load({name: text}, {}, tmp_path),
        load({}, {setting.variable: text}, tmp_path),
        load({"config": "a.toml"}, {}, tmp_path),
    )

    assert setting.option == f"--{name.replace('_', '-')}"
    assert setting.variable == f"PARLOUR_{name.upper()}"
    assert [loaded.sources[name] for loaded in ways] == [setting.option, setting.variable, str(tmp_path / "a.toml")]
    (value,) = {getattr(loaded.settings, name) for loaded in ways}
    assert value != getattr(Settings(), name)


def test_an_empty_variable_is_not_set(tmp_path: Path) -> None:
    """Containers are often given variables with nothing in them; the file still counts then."""
    write(tmp_path, "port = 1")

    assert load({}, {"PARLOUR_PORT": "", "PARLOUR_REDIS": " "}, tmp_path).settings.port == 1


def test_an_empty_text_takes_an_address_away(tmp_path: Path) -> None:
    """What can be none is none when it is given as an empty text."""
    write(tmp_path, 'redis = "redis://a"')

    assert load({}, {}, tmp_path).settings.redis == "redis://a"
    assert load({"redis": ""}, {}, tmp_path).settings.redis is None


def test_paths_start_where_they_are_written(tmp_path: Path) -> None:
    """A relative path in the file starts beside the file, elsewhere in the current folder."""
    (tmp_path / "etc").mkdir()
    write(tmp_path / "etc", 'data = "kept"')

    assert load({"config": "etc/parlour.toml"}, {}, tmp_path).settings.data == tmp_path / "etc" / "kept"
    assert load({"data": "kept"}, {}, tmp_path).settings.data == tmp_path / "kept"


# -- kinds of values


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
        ("metrics", "Off", False),
        ("metrics", "yes", True),
        ("metrics", False, False),
        ("log_level", "DEBUG", "debug"),
        ("host", "::1", "::1"),
        ("redis", "rediss://user:pass@host:6379/2?health_check_interval=5", None),
        ("redis", "unix:///run/redis.sock?db=1", None),
        ("public_url", "https://play.example.org/", "https://play.example.org"),
        ("nodes", "ws://a:1/ws, ws://b/ws", ("ws://a:1/ws", "ws://b/ws")),
        ("nodes", ["ws://a/ws", "ws://b/ws,ws://c/ws"], ("ws://a/ws", "ws://b/ws", "ws://c/ws")),
        ("nodes", [], ()),
        ("origins", "HTTPS://A.example/ *", ("https://a.example", "*")),
        ("trusted_proxies", "127.0.0.1 ::1,10.1.2.3/8", tuple(map(ip_network, ("127.0.0.1", "::1", "10.0.0.0/8")))),
        ("data", "~/games", Path.home() / "games"),
    ],
)
def test_values_are_read_as_people_write_them(name: str, given: object, value: object, tmp_path: Path) -> None:
    """Sizes and times may have units, switches may be said in words, lists may have commas or blanks."""
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
        ("metrics", "maybe"),
        ("metrics", 1),
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
        ("data", "~nobody-of-that-name/games"),
        ("data", "a\nb"),
        ("data", 7),
    ],
)
def test_a_bad_value_is_explained(name: str, given: object, tmp_path: Path) -> None:
    """What is out of range or of another kind is refused with one line: where, what, and what is allowed."""
    told = sentence({name: given}, {}, tmp_path)

    assert told.startswith(f"{SETTINGS[name].option} ")
    assert told.endswith(f" must be {SETTINGS[name].kind.words}.")
    assert told.isprintable()
    assert len(told) < 300


def test_a_bad_value_is_told_with_its_source(tmp_path: Path) -> None:
    """The sentence names the option, the variable, or the key and its file."""
    allowed = "it must be a whole number from 0 to 65535."

    assert sentence({"port": "x"}, {}, tmp_path) == f"--port is “x”: {allowed}"
    assert sentence({}, {"PARLOUR_PORT": "x"}, tmp_path) == f"PARLOUR_PORT in the environment is “x”: {allowed}"
    file = write(tmp_path, "port = 99999")
    assert sentence({}, {}, tmp_path) == f"port in {file} is “99999”: {allowed}"


def test_one_bad_item_of_a_list_is_named(tmp_path: Path) -> None:
    """The other items are not repeated."""
    told = sentence({"nodes": ["ws://a/ws,b"]}, {}, tmp_path)

    assert told == "--nodes has “b”: each must be an address such as wss://play.example.org/ws."


def test_buffers_must_fit_together(tmp_path: Path) -> None:
    """The bound that closes a connection lies above the one that drops updates."""
    told = sentence({"send_buffer_soft": "1M"}, {"PARLOUR_SEND_BUFFER_HARD": "512k"}, tmp_path)

    assert told == (
        "send_buffer_soft (1M, --send-buffer-soft) must be smaller than "
        "send_buffer_hard (512k, PARLOUR_SEND_BUFFER_HARD)."
    )


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(SETTINGS)), value=ANYTHING)
def test_no_value_breaks_the_reader(name: str, value: object, tmp_path: Path) -> None:
    """Whatever is given is either read or refused with a sentence of one line."""
    try:
        load({name: value}, {}, tmp_path)
    except BadSetting as bad:
        assert str(bad).isprintable()


# -- names


def test_unknown_names_are_refused(tmp_path: Path) -> None:
    """A slip of the pen is not ignored in silence, and the right name is guessed."""
    told = sentence({}, {"PARLOUR_PROT": "1"}, tmp_path)
    assert told == "PARLOUR_PROT in the environment is no setting. Did you mean PARLOUR_PORT?"

    told = sentence({}, {"PARLOUR_BANANA": "1"}, tmp_path)
    assert told == "PARLOUR_BANANA in the environment is no setting. `parlour serve --help` lists them all."

    file = write(tmp_path, "max_conections = 5")
    assert sentence({}, {}, tmp_path) == (
        f"{file} has “max_conections”, which is no setting. Did you mean max_connections?"
    )


def test_names_of_others_are_left_alone(tmp_path: Path) -> None:
    """The games folder, the file, variables for tests and those made by Kubernetes are no mistakes."""
    write(tmp_path, "", "a.toml")
    environ = {
        "PATH": "/bin",
        "PARLOUR_GAMES": "/games",
        "PARLOUR_CONFIG": "a.toml",
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
        (b"[network]\nport = 1", "has “network”, which is no setting."),
        (b"a = " + b"[" * 5000, "is not a TOML file: "),
    ],
)
def test_a_bad_file_is_explained(content: bytes, words: str, tmp_path: Path) -> None:
    """What is no TOML is refused with its name and the place of the mistake."""
    file = tmp_path / config.FILE
    file.write_bytes(content)

    assert sentence({}, {}, tmp_path).startswith(f"{file} {words}")


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    """Only parlour.toml in the current folder may be missing."""
    told = sentence({"config": "gone.toml"}, {}, tmp_path)

    assert told == f"The settings in {tmp_path / 'gone.toml'} cannot be read: No such file or directory."
    assert sentence({"config": "."}, {}, tmp_path).endswith("cannot be read: Is a directory.")


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    """Some editors put one at the beginning of every file."""
    write(tmp_path, "\ufeffport = 1")

    assert load({}, {}, tmp_path).settings.port == 1


# -- telling the settings


def test_the_settings_are_told_as_a_file(tmp_path: Path) -> None:
    """What is printed can be kept as parlour.toml and gives the same settings again."""
    given = {
        "port": "0", "nodes": "ws://a/ws,ws://b/ws", "send_buffer_soft": "3000", "stop_grace": "0.25", "metrics": "off",
        "trusted_proxies": "::1", "data": 'a "b"', "node_name": "7", "redis": "redis://a", "static": "é",
    }  # fmt: skip
    loaded = load(given, {}, tmp_path)
    text = "\n".join(config.written(loaded))

    file = write(tmp_path, text)
    again = load({}, {}, tmp_path)

    assert again.settings == loaded.settings
    assert {name for name, source in again.sources.items() if source == str(file)} == set(given)


def test_every_setting_is_told_with_its_source(tmp_path: Path) -> None:
    """One line each, in the order of the table; a default is a comment, so that keeping the text does not fix it."""
    lines = list(config.written(load({"port": "1"}, {"PARLOUR_HOST": "::"}, tmp_path)))

    told = [line.removeprefix("# ").split(" = ")[0] for line in lines if " = " in line]
    assert told == list(SETTINGS)
    assert [line.split() for line in lines[1:3]] == [
        ["host", "=", '"::"', "#", "PARLOUR_HOST"],
        ["port", "=", "1", "#", "--port"],
    ]
    assert set(tomllib.loads("\n".join(lines))) == {"host", "port"}


@pytest.mark.parametrize("address", ["redis://u:hunter2@a", "redis://:hu@nter2@a/1", "redis://a?password=hunter2"])
def test_passwords_are_never_told(address: str, tmp_path: Path) -> None:
    """Neither the list of settings nor a refusal repeats what may hold a password."""
    text = "\n".join(config.written(load({"redis": address}, {}, tmp_path)))
    told = sentence({"redis": address.replace("redis:", "reds:")}, {}, tmp_path)

    assert "***" in text
    assert told.startswith("--redis cannot be used: it must be an address such as redis://localhost:6379/0")
    for shown in (text, told):
        assert "hunter2" not in shown
        assert "nter2" not in shown


# -- defaults of the platform


def test_data_lies_where_the_platform_wants_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """XDG_DATA_HOME is followed if it is absolute, as its rules say; else it is ~/.local/share."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert Settings().data == tmp_path / "xdg" / "parlour"

    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert Settings().data == tmp_path / ".local" / "share" / "parlour"
