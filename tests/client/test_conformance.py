"""The Python SDK is certified for every profile."""

from __future__ import annotations

import pytest

from parlour.conform.client_check import check_client
from parlour.conform.profiles import EVERY, Profile
from tests.client.conforming_client import run
from tests.conform.coroutine_client import CoroutineClient


@pytest.mark.parametrize("profile", EVERY, ids=str)
async def test_the_sdk_is_certified(profile: Profile) -> None:
    """A client that uses nothing but the SDK keeps every rule of the profile, in real time."""
    report = await check_client(CoroutineClient(run), "Python SDK", profile=profile, at_once=64)
    assert report.certificate, report.table()
