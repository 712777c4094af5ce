"""The literal pieces without which no text holds a secret, and the quick look for them.

Nearly every text that is shown or told has none, so this is all that most programs need of
:mod:`secrets`; the module imports nothing.  A path has long words, and ``task-`` in one is no ``sk-``:
where a pattern begins with its piece, the piece counts only where a word begins.
"""

# No token is shorter; prose has few words that long.
SHORTEST = 15
# Pieces that stand in short words, or in several.
ANYWHERE = ("PRIVATE KEY", "://")
# The pieces of ``secrets.PATTERNS``.
PIECES = (
    "AKIA", "ASIA", "gh", "github_pat_", "gl", "xo", "xapp-", "hooks.slack.com", "/api/webhooks/",
    "k_live_", "k_test_", "whsec_", "AIza", "GOCSPX-", "ya29.", "sk-ant-", "sk-", "T3BlbkFJ", "hf_",
    "npm_", "pypi-AgE", "rubygems_", "dckr_pat_", "hvs.", ".atlasv1.", "_v1_", "ATATT3", "lin_api_",
    "ntn_", "dapi", "sntr", "shp", "SG.", "SK", ":AA", "AccountKey=", "SharedAccessKey=", "Q~",
    "AGE-SECRET-KEY-1", "eyJ",
)  # fmt: skip


# Those that stand for several, of which one must be there.
FORMS = {
    "gh": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gl": (
        *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-", "glimt-", "gloas-"),
        *("glsa_", "glc_"),
    ),
    "xo": ("xox",),
    "sntr": ("sntryu_", "sntrys_"),
    "shp": ("shpat_", "shpca_", "shppa_", "shpss_"),
}
# Those whose patterns do not begin with them, or begin in the middle of a word.
INSIDE = frozenset((
    *("hooks.slack.com", "/api/webhooks/", "k_live_", "k_test_", "T3BlbkFJ", ".atlasv1.", "_v1_", ":AA"),
    *("AccountKey=", "SharedAccessKey=", "Q~", "AGE-SECRET-KEY-1", "eyJ"),
))  # fmt: skip


def may_hold_secret(text: str) -> bool:
    """Whether anything is worth a closer look: without, ``find_secrets`` finds nothing."""
    return bool(signs_in(text))


def signs_in(text: str) -> list[str]:
    """The pieces that are there."""
    long = "\n".join([word for word in text.split() if len(word) >= SHORTEST])
    found = [piece for piece in PIECES if piece in long and _counts(piece, long)] if long else []
    return found + [piece for piece in ANYWHERE if piece in text]


def _counts(piece: str, text: str) -> bool:
    return piece in INSIDE or any(_begins(form, text) for form in FORMS.get(piece, (piece,)))


def _begins(form: str, text: str) -> bool:
    """Whether a word begins with it somewhere, or what is none: no ASCII letter, digit or _ is before it."""
    at = text.find(form)
    while at >= 0:
        before = text[at - 1 : at]
        if not before.isascii() or not (before.isalnum() or before == "_"):
            return True
        at = text.find(form, at + 1)
    return False
