"""Passwords and tokens: kept so that who reads the database learns neither."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from functools import cache

_COST, _BLOCK, _LANES = 2**14, 8, 1
"""scrypt's N, r and p: about 16 MB and 50 ms a try (RFC 7914)."""
_MEMORY_BYTES = 64 << 20
SHORTEST_PASSWORD = 8


def hash_password(password: str) -> str:
    """A password as it is kept: salt and hash, with what made it."""
    salt = secrets.token_bytes(16)
    digest = _scrypt(password, salt, _COST, _BLOCK, _LANES)
    return f"scrypt${_COST}${_BLOCK}${_LANES}${salt.hex()}${digest.hex()}"


def is_password(password: str, kept: str) -> bool:
    """Whether a password is the one that was kept, in a time that does not tell how far off."""
    _, cost, block, lanes, salt, digest = kept.split("$")
    found = _scrypt(password, bytes.fromhex(salt), int(cost), int(block), int(lanes))
    return hmac.compare_digest(found, bytes.fromhex(digest))


@cache
def nobody() -> str:
    """What a password is held against where there is no such person, so that it takes as long."""
    return hash_password(secrets.token_hex(16))


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(32)


def token_digest(token: str) -> str:
    """A token as it is kept."""
    return hashlib.sha256(token.encode()).hexdigest()


def _scrypt(password: str, salt: bytes, cost: int, block: int, lanes: int) -> bytes:
    return hashlib.scrypt(
        password.encode(), salt=salt, n=cost, r=block, p=lanes, maxmem=_MEMORY_BYTES
    )
