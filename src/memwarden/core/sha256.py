"""SHA-256 without the price of :mod:`hashlib`, whose import loads all of OpenSSL.

Python keeps an implementation of its own under a private name that changed once.  Where neither is
there, the public one serves; a test holds them equal.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import sha256 as sha256
else:
    try:
        from _sha2 import sha256 as sha256  # Python 3.12 and later
    except ImportError:
        try:
            from _sha256 import sha256 as sha256
        except ImportError:
            from hashlib import sha256 as sha256
