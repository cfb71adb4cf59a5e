"""The benchmark that stops a loaded node."""

from __future__ import annotations

from pathlib import Path

from bench.load import toolchain
from bench.stops import Stop, report, stop_once
from parlour.server.store.embedded import EmbeddedStore


async def test_a_loaded_node_stops_cleanly(tmp_path: Path) -> None:
    """It exits by itself with code 0 while 50 games are being played."""
    generator = toolchain.build(toolchain.find_compiler()).generator
    async with EmbeddedStore(tmp_path / "store") as store:
        stop = await stop_once(generator, store.url.removeprefix("unix://"), tmp_path)

    assert stop.is_clean


def test_the_report_counts_clean_stops() -> None:
    """A node that had to be killed, or exited with an error, is not clean."""
    stops = [Stop(0.5, 0), Stop(0.7, 1), Stop(20.0, None)]

    assert report(stops) == "1 of 3 stops were clean; median 0.70 s, longest 20.00 s."
