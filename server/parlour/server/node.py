"""A node: what it does with every message. Commands for rooms go to the rooms; the rest is here."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import msgspec

from parlour import games
from parlour.protocol.codec import LARGEST_FROM_CLIENT
from parlour.protocol.errors import CloseCode, ErrorCode, Refusal
from parlour.protocol.messages import (
    Abort, Accept, AnswerOffer, AskRecord, Cancel, Challenge, ChooseFirst, Claim, ClientMessage, Closing, Command,
    Explore, Hello, Join, Leave, Offer, Ok, Paired, Play, Queue, Record, RecordedMove, Refused, Resign, Said, Say, Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.tables import GameCard, Player, Terms
from parlour.server.config import Settings
from parlour.server.house import House
from parlour.server.metrics import Metrics
from parlour.server.rooms import clock as clocks
from parlour.server.rooms.core import Chair, Room
from parlour.server.rooms.decide import room_name, sit
from parlour.server.rooms.events import AnyEvent, Created, Seated, Started
from parlour.server.rooms.live import LiveRoom
from parlour.server.store import Store
from parlour.server.transport.peer import Peer
from parlour.server.visitor import Visitor

log = logging.getLogger(__name__)

RoomCommand = Leave | Sync | Play | Explore | ChooseFirst | Offer | AnswerOffer | Resign | Abort | Claim | Say
