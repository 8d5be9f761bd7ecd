"""The key that a lab signs guesses and hand-ins with.

The secret is set by the lab's host in the environment variable AKLO_HANDIN_SECRET (HMAC with SHA-256). Without it the
key is the public one of this file. Such a signature is a checksum: it finds a line that was cut or mistyped, and stops
nobody who wants to cheat.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass
from typing import Literal

VARIABLE = "AKLO_HANDIN_SECRET"
SHORTEST_SECRET = 16
PUBLIC = b"aklo-lab: a checksum, no secret"


@dataclass(frozen=True)
class Key:
    """A key to sign with. kind: "secret", or "checksum" for the public one."""

    kind: Literal["secret", "checksum"]
    _bytes: bytes

    def __repr__(self) -> str:  # the secret must not get into a log
        return f"Key({self.kind})"

    @classmethod
    def public(cls) -> Key:
        return cls("checksum", PUBLIC)

    @classmethod
    def secret(cls, text: str) -> Key:
        """Return the key of a secret; ValueError if it is too short to be one."""
        if len(text.strip()) < SHORTEST_SECRET:
            raise ValueError(f"The secret has {len(text.strip())} characters, where {SHORTEST_SECRET} are needed.")
        return cls("secret", text.strip().encode())

    @classmethod
    def from_environment(cls) -> Key:
        """Return the key of the secret in the environment variable, or the public one where it is not set."""
        text = os.environ.get(VARIABLE, "")
        return cls.secret(text) if text.strip() else cls.public()

    def sign(self, text: str) -> str:
        """Return the signature of a text.

        >>> Key.public().sign("a")[:17]
        'checksum:1439e069'
        """
        return f"{self.kind}:{hmac.new(self._bytes, text.encode(), hashlib.sha256).hexdigest()[:32]}"

    def verifies(self, text: str, signature: str) -> bool:
        """Return whether a signature is this key's signature of a text."""
        return hmac.compare_digest(self.sign(text).encode(), signature.encode())
