"""Tokens and keys that must not be kept: found by the prefixes that their issuers gave them.

Prefix patterns only.  Entropy rules fire on object IDs, digests and UUIDs, which a memory is full of.
The well-kept scanners were weighed: detect-secrets brings a network client (requests) and loads far
more than a hook may, and the others are not Python.  Their catalogues were the teachers of the list
below; the patterns are our own, and linear-time.

A text's long words are first searched for a few literal pieces; the regular expressions are compiled
and run only where one of them is there, so that a memory without secrets pays almost nothing.
"""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.secret_signs import may_hold_secret as may_hold_secret
from memwarden.core.secret_signs import signs_in

if TYPE_CHECKING:
    import re

_EDGE = r"(?<![A-Za-z0-9_])"

# (what it is, the literal piece that every match has, the pattern).
PATTERNS = (
    ("AWS access key", "AKIA", _EDGE + r"AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AWS session key", "ASIA", _EDGE + r"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("GitHub token", "gh", _EDGE + r"gh[opsur]_[A-Za-z0-9]{30,251}"),
    ("GitHub token", "github_pat_", _EDGE + r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    ("GitLab token", "gl", _EDGE + r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt|oas)-[A-Za-z0-9_\-]{20,255}"),
    ("Slack token", "xo", _EDGE + r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9\-]{10,250}"),
    ("Slack app token", "xapp-", _EDGE + r"xapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{20,}"),
    (
        "Slack webhook",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,}",
    ),
    (
        "Discord webhook",
        "/api/webhooks/",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w\-]{60,}",
    ),
    ("Stripe key", "k_live_", _EDGE + r"[rs]k_live_[A-Za-z0-9]{10,247}"),
    ("Stripe key", "k_test_", _EDGE + r"[rs]k_test_[A-Za-z0-9]{24,247}"),
    ("Stripe webhook secret", "whsec_", _EDGE + r"whsec_[A-Za-z0-9+/=]{24,}"),
    ("Google API key", "AIza", _EDGE + r"AIza[A-Za-z0-9_\-]{35}(?![A-Za-z0-9_\-])"),
    ("Google OAuth secret", "GOCSPX-", _EDGE + r"GOCSPX-[A-Za-z0-9_\-]{28}"),
    ("Google OAuth token", "ya29.", _EDGE + r"ya29\.[A-Za-z0-9_\-]{30,}"),
    ("Anthropic key", "sk-ant-", _EDGE + r"sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_\-]{20,}"),
    ("OpenAI key", "sk-", _EDGE + r"sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_\-]{20,}"),
    ("OpenAI key", "T3BlbkFJ", _EDGE + r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}"),
    ("API key (sk-)", "sk-", _EDGE + r"sk-(?:or-v1-)?[A-Za-z0-9]{20,}"),
    ("Hugging Face token", "hf_", _EDGE + r"hf_[A-Za-z0-9]{30,}"),
    ("npm token", "npm_", _EDGE + r"npm_[A-Za-z0-9]{30,}"),
    ("PyPI token", "pypi-AgE", _EDGE + r"pypi-AgE[A-Za-z0-9_\-]{16,}"),
    ("RubyGems key", "rubygems_", _EDGE + r"rubygems_[a-f0-9]{48}"),
    ("Docker token", "dckr_pat_", _EDGE + r"dckr_pat_[A-Za-z0-9_\-]{27,}"),
    ("Vault token", "hvs.", _EDGE + r"hvs\.[A-Za-z0-9_\-]{24,}"),
    ("Terraform Cloud token", ".atlasv1.", _EDGE + r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-=]{60,}"),
    ("DigitalOcean token", "_v1_", _EDGE + r"do[opr]_v1_[a-f0-9]{64}"),
    ("Atlassian token", "ATATT3", _EDGE + r"ATATT3[A-Za-z0-9_\-=]{100,}"),
    ("Linear key", "lin_api_", _EDGE + r"lin_api_[A-Za-z0-9]{40}"),
    ("Notion token", "ntn_", _EDGE + r"ntn_[A-Za-z0-9]{40,}"),
    ("Databricks token", "dapi", _EDGE + r"dapi[a-f0-9]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("Grafana token", "gl", _EDGE + r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}"),
    ("Sentry token", "sntr", _EDGE + r"sntr(?:yu_[a-f0-9]{64}|ys_[A-Za-z0-9+/=_]{80,})"),
    ("Shopify token", "shp", _EDGE + r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    ("SendGrid key", "SG.", _EDGE + r"SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{16,64}"),
    ("Twilio key", "SK", _EDGE + r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("Telegram bot token", ":AA", _EDGE + r"\d{8,10}:AA[A-Za-z0-9_\-]{33}(?![A-Za-z0-9_\-])"),
    ("Azure storage key", "AccountKey=", r"AccountKey=[A-Za-z0-9+/]{60,88}={0,2}"),
    ("Azure shared access key", "SharedAccessKey=", r"SharedAccessKey=[A-Za-z0-9+/]{40,88}={0,2}"),
    ("Azure client secret", "Q~", r"(?<![A-Za-z0-9_~.\-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.\-]{31,34}"),
    ("age secret key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    (
        "JSON web token",
        "eyJ",
        r"(?<![A-Za-z0-9_\-])eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,}",
    ),
    ("private key", "PRIVATE KEY", r"-----BEGIN [A-Z0-9 ]{0,24}PRIVATE KEY(?: BLOCK)?-----"),
    (
        "password in a URL",
        "://",
        r"(?<![A-Za-z0-9])[a-z][a-z0-9+.\-]{1,20}://[^\s/:@<>\"'`]{0,64}:(?P<password>[^\s/@<>\"'`]{3,128})@",
    ),
)  # fmt: skip

# What documentation writes where a URL has its password.  Issued tokens have no stand-ins: a text that
# has the issuer's prefix and length is taken at its word.
_STAND_INS = ("example", "xxx", "***", "...", "placeholder", "redacted", "changeme", "your")
_STAND_IN_WORDS = frozenset(("password", "passwd", "pass", "pwd", "pw", "token"))

# A key's block ends within this many characters of its first line.
LONGEST_BLOCK = 16 * 1024

MASK = "[redacted: {}]"


class Secret(NamedTuple):
    """Where a secret stands in a text, and what it seems to be; never the secret itself."""

    start: int
    end: int
    kind: str


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Everything in ``text`` that looks like a secret, in order and without overlaps."""
    pieces = signs_in(text)
    if not pieces:
        return ()
    found = []
    for at, (kind, piece, _) in enumerate(PATTERNS):
        if piece not in pieces:
            continue
        for match in _compiled(at).finditer(text):
            if "password" in match.re.groupindex:
                if not _is_stand_in(match["password"]):
                    found.append(Secret(match.start("password"), match.end("password"), kind))
            else:
                end = _block_end(text, match.end()) if piece == "PRIVATE KEY" else match.end()
                found.append(Secret(match.start(), end, kind))
    if len(found) < 2:
        return tuple(found)
    return _apart(found)


def redact(text: str) -> str:
    """``text`` with every secret replaced by a mask that names its kind."""
    secrets = find_secrets(text)
    if not secrets:
        return text
    parts, at = [], 0
    for secret in secrets:
        parts += [text[at : secret.start], MASK.format(secret.kind)]
        at = secret.end
    return "".join((*parts, text[at:]))


def _apart(found: list[Secret]) -> tuple[Secret, ...]:
    """The longest of any that overlap."""
    kept: list[Secret] = []
    for secret in sorted(found, key=lambda secret: (secret.start, -secret.end)):
        if kept and secret.start < kept[-1].end:
            kept[-1] = kept[-1]._replace(end=max(kept[-1].end, secret.end))
        else:
            kept.append(secret)
    return tuple(kept)


def _block_end(text: str, start: int) -> int:
    """Where a key's block ends whose first line ends at ``start``; there, where no last line follows."""
    most = start + LONGEST_BLOCK
    last = text.find("-----END ", start, most)
    if last < 0 or text.find("-----BEGIN ", start, last) >= 0:
        return start
    end = text.find("-----", last + len("-----END "), most)
    return end + len("-----") if end >= 0 else start


def _is_stand_in(password: str) -> bool:
    lowered = password.lower()
    if any(piece in lowered for piece in _STAND_INS) or lowered in _STAND_IN_WORDS:
        return True
    return lowered[0] in "${%"


_COMPILED: dict[int, re.Pattern[str]] = {}


def _compiled(at: int) -> re.Pattern[str]:
    pattern = _COMPILED.get(at)
    if pattern is None:
        import re  # only a text that may hold a secret pays for it

        pattern = _COMPILED[at] = re.compile(PATTERNS[at][2])
    return pattern
