"""Where a session's ledger lies in private state: its name is a digest, for an ID may hold anything."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hashlib import sha1
else:
    try:
        from _sha1 import sha1  # a tenth of hashlib's cost, which every touch would pay
    except ImportError:
        from hashlib import sha1

FOLDER = "sessions"
MOST_BYTES = 1 << 20


def session_path(private: str, session: str) -> str:
    """The file in which a session's ledger is kept, below the git directory's ``private`` folder."""
    return f"{private}/{FOLDER}/{session_key(session)}"


def session_key(session: str) -> str:
    """A session's name in private state."""
    return content_digest(session.encode("utf-8", "surrogatepass"))[:32]


def content_digest(data: bytes) -> str:
    """A digest that tells whether bytes changed."""
    return sha1(data, usedforsecurity=False).hexdigest()
