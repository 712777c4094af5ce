"""Every command: which module holds it, and what it says of itself.

The sentences stand here once more, so that the list of all commands can be shown without loading the
program; a test holds them equal to the commands' own.
"""

from __future__ import annotations

# Each module of the command line has a ``register(app)`` that adds its commands.
GROUPS = {
    "init": {
        "init": "Start a memory in this repository: a manifest, a brief, nothing else.",
    },
    "reading": {
        "list": "List notes, sorted by path.",
        "show": "Show one note: what it says, what it governs, and what happened to it.",
        "search": "Find notes that contain a text. Discovery only: it never decides what a task loads.",
        "status": "Say in a few lines how the memory stands.",
        "export": "Print every note with its standing and body, as JSON Lines; with --json, as one object.",
    },
    "routing": {
        "route": "Print the project's memory for a task, as Markdown for an agent.",
        "why": "Explain a note: why it was admitted, what it governs, who loads it, when it stops applying.",
    },
    "checking": {
        "check": "Judge the memory: every rule, every finding with its place and what to do about it.",
        "explain": "Say what a rule forbids, why, and how to fix what it found.",
    },
    "adding": {
        "add": "Write down one claim: a rule, or with --debt something that ends.",
    },
    "admitting": {
        "inbox": "Show the candidates; on a terminal, accept, reject or skip each, with one plan at the end.",
        "admit": (
            "Make a candidate memory: it moves to its module, with evidence; options fill what it lacks."
        ),
        "reject": "Turn a candidate down; its file stays in the inbox, silent, and the reason is kept.",
    },
    "changing": {
        "supersede": "Let one active note stand in for another of the same scope, subject and facet.",
        "revoke": "Retire a note that was wrong: silent everywhere, its file and the reason stay.",
        "reinstate": "Take back that a note was paid, revoked or rejected; its misses are kept.",
        "edit": "Change a note's text in $EDITOR, or take it from a file or standard input.",
        "move": "Put a note into another module; archive retires it for reading only.",
    },
    "subjects": {
        "subject": "What notes are about: subjects with one stable ID and many spellings.",
    },
    "laddering": {
        "touch": "Tell what the memory holds about files or a command before a tool touches them.",
        "close": "End a turn: debts whose anchor was written are paid, or missed once.",
        "settle": (
            "Record every payment that holds, every payment that no longer does, and the misses that wait."
        ),
        "debts": (
            "List what is owed, the most pressing first: its misses, its age, and what its condition sees."
        ),
        "stats": "Tell how often each note was told, and what that suggests.",
        "pay": "Declare a debt paid; your name and your reason are recorded.",
    },
    "forgetting": {
        "forget": "Take a note out; a tombstone in do-not-use/ keeps its topic from coming back.",
        "purge": (
            "Remove every managed trace of notes, of a subject, or of a text, and report what is out "
            "of reach."
        ),
    },
    "planning": {
        "apply": "Write a previewed plan, if it is still exactly the one that was shown.",
        "recover": (
            "End a change that was cut short; a file edited since then is shown, never overwritten unasked."
        ),
    },
    "hooking": {
        "hook": "Answer an agent host's event (JSON on standard input), or wire a host to do so.",
        "doctor": "Show which hosts are wired, who has spoken last, whose mem runs, and what is damaged.",
    },
    "trusting": {
        "trust": (
            "Show the command that a note's condition runs, and endorse it: for you, here, word by word."
        ),
    },
    "history": {
        "blame": "Name the commit that paid a debt, and every commit that broke or repaired it.",
        "log": "Tell what happened to notes, the latest first: admitted, missed, paid, reinstated, revoked.",
    },
    "comparing": {
        "diff": (
            "Tell what a branch does to the memory: notes, debts, owners, routes, and what each task "
            "would load."
        ),
    },
    "importing": {
        "import": "Take over another tool's memory: a plan with an account of what is lost.",
    },
}

# Those whose JSON tells of a plan, also where they came to none.
MUTATING = frozenset(
    {
        "add",
        "inbox",
        "admit",
        "reject",
        "supersede",
        "revoke",
        "reinstate",
        "edit",
        "move",
        "subject",
        "pay",
        "forget",
        "purge",
        "apply",
        "recover",
        "import",
    }
)

# How the list of commands is laid out: what a newcomer needs first.
PANELS = {
    "Start here": ("init", "add", "route", "status"),
    "Write": ("inbox", "admit", "reject", "edit", "move", "supersede", "revoke", "reinstate", "subject",
              "import", "apply"),
    "Read": ("list", "show", "search", "why", "log", "export"),
    "Debts": ("debts", "pay", "settle", "blame", "stats", "trust"),
    "Review": ("check", "explain", "diff"),
    "Agents": ("hook", "touch", "close"),
    "Forget": ("forget", "purge"),
    "Upkeep": ("doctor", "recover"),
}  # fmt: skip
