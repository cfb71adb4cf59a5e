"""The way back into an account whose password is lost: recovery codes, and the codes of e-mails."""

from __future__ import annotations

import logging
import secrets

from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import (
    CreateRecoveryCodes,
    GetRecoveryCodes,
    Message,
    RecoverAccount,
    RecoveryCodes,
    SignedIn,
)  # fmt: skip
from parlour.protocol.types import Player
from parlour.server.players.accounts import Accounts
from parlour.server.players.emails import CODE_SIZE
from parlour.server.players.names import fold_name
from parlour.server.players.passwords import check_password, no_password, password_changed, wrong_password
from parlour.server.sessions.command_ids import Handler
from parlour.server.sessions.session import Session
from parlour.server.store.accounts import Account, NewToken
from parlour.server.store.store import Store

logger = logging.getLogger(__name__)

# Letters and digits no two of which look alike. A code has 49 random bits, and a guess costs a slow hash and a sign-in.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
CODES, GROUPS, GROUP_LENGTH = 8, 2, 5
SALT_SIZE = 16  # bytes

MAILED_LENGTH = 2 * CODE_SIZE  # of the codes in e-mails, in hexadecimal digits

# One sentence for all, so that it does not reveal which names have accounts.
WRONG_CODE = Refusal(
    ErrorCode.SIGN_IN_REFUSED,
    "There is no account with this name and code. Check both; a code works once, one of an e-mail for an hour.",
)


class Recovery:
    """Answers the commands about recovery codes, and sets new passwords."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._accounts = accounts
        self.handlers: dict[type[Message], Handler] = {
            CreateRecoveryCodes: self._create,
            GetRecoveryCodes: self._get,
            RecoverAccount: self._recover,
        }

    async def _create(self, session: Session, command: CreateRecoveryCodes) -> None:
        account = await self._store.accounts.get(session.player)
        if account is None:
            raise no_password()
        passwords = self._accounts.passwords
        if not await passwords.verify(command.password, account.password_hash):
            raise wrong_password()
        codes = tuple(new_code() for _ in range(CODES))
        salt = secrets.token_hex(SALT_SIZE)
        digests = [await passwords.digest(tidy_code(code), salt) for code in codes]
        if not await self._store.recovery_codes.replace(account, salt, digests):
            raise password_changed()
        session.send(RecoveryCodes(id=command.id, codes=codes, left=len(codes)))

    async def _get(self, session: Session, command: GetRecoveryCodes) -> None:
        session.send(RecoveryCodes(id=command.id, left=await self._store.recovery_codes.left(session.player)))

    async def _recover(self, session: Session, command: RecoverAccount) -> None:
        await self._accounts.reply_once(session, command, lambda: self._use_code(session, command))

    async def _use_code(self, session: Session, command: RecoverAccount) -> SignedIn:
        check_password(command.password, command.name)
        code = tidy_code(command.code)
        use = self._use_mailed_code if len(code) == MAILED_LENGTH else self._use_recovery_code
        account, issued = await use(command, code)
        context = {"player": account.id, "address": session.connection.address}
        logger.info("an account was recovered with a code", extra=context)
        await self._accounts.announce_revoked(account.id, issued.revoked, "The password was changed. Sign in again.")
        return SignedIn(id=command.id, you=Player(account.name), token=issued.token)

    async def _use_recovery_code(self, command: RecoverAccount, code: str) -> tuple[Account, NewToken]:
        passwords = self._accounts.passwords
        account = await self._store.accounts.find(fold_name(command.name))
        salt = "" if account is None else await self._store.recovery_codes.salt(account.id)
        # Hashed in any case, so that the time reveals nothing either.
        digest = await passwords.digest(code, salt or "0" * 2 * SALT_SIZE)
        hash = await passwords.hash(command.password)
        if account is None or not salt:
            raise WRONG_CODE
        issued = await self._store.recovery_codes.recover(account.id, digest, hash)
        if issued is None:
            raise WRONG_CODE
        return account, issued

    async def _use_mailed_code(self, command: RecoverAccount, code: str) -> tuple[Account, NewToken]:
        accounts, emails = self._store.accounts, self._store.emails
        mailed = await emails.find_code(code)
        account = None if mailed is None else await accounts.get(mailed.player)
        if mailed is None or account is None or mailed.purpose != "recover" or not mailed.belongs_to(account):
            raise WRONG_CODE
        is_current = await emails.address(account.id) == mailed.address
        if not is_current or fold_name(account.name) != fold_name(command.name):
            raise WRONG_CODE
        hash = await self._accounts.passwords.hash(command.password)
        if not await emails.use_code(code):
            raise WRONG_CODE
        revoked = await accounts.change_password(account, hash, token="")
        issued = await accounts.sign_in(replace(account, password_hash=hash))
        if revoked is None or issued is None:
            raise WRONG_CODE
        return account, NewToken(issued.token, revoked)


def new_code() -> str:
    """Return a new code, as players see it."""
    groups = ("".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH)) for _ in range(GROUPS))
    return "-".join(groups)


def tidy_code(typed: str) -> str:
    """Return a code as it is hashed, however it was typed."""
    return "".join(typed.split()).replace("-", "").casefold()
