"""Route and pack in one step: what ``mem route`` prints and what a session starts with."""

from __future__ import annotations

from memwarden.core.record import TYPE_CHECKING, NamedTuple
from memwarden.core.route.pack import assemble, block, digest, size
from memwarden.core.route.route import Routed, route
from memwarden.core.workspace import Unreadable
from memwarden.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memwarden.core.memory import Memory
    from memwarden.core.note import Note
    from memwarden.core.route.request import Request
    from memwarden.core.standing import Standing
    from memwarden.core.workspace import Workspace


class Served(NamedTuple):
    """A route with its pack and the pack's digest."""

    routed: Routed
    text: str
    digest: str


class Blocks:
    """The block of each note that was asked about, built once, from the file's own words."""

    def __init__(self, workspace: Workspace, standings: Mapping[str, Standing]) -> None:
        self._workspace = workspace
        self._standings = standings
        self.built: dict[str, str] = {}

    def measure(self, note: Note, contested: tuple[str, ...]) -> int:
        """The size of the note as it is delivered."""
        text = self.built.get(note.path)
        if text is None:
            words = body(self._workspace, note)
            text = block(note, self._standings[note.path].name, words, contested)
            self.built[note.path] = text
        return size(text)


def serve(memory: Memory, standings: Mapping[str, Standing], request: Request, today: str) -> Served:
    """What ``request`` loads, as the text that an agent reads."""
    blocks = Blocks(memory.workspace, standings)
    routed = route(memory, standings, request, today, blocks.measure)
    text = assemble(routed, blocks.built)
    return Served(routed, text, digest(text))


def body(workspace: Workspace, note: Note) -> str:
    """The note's Markdown below its frontmatter, found by the line that reading it found."""
    try:
        data = workspace.read(note.path)
    except Unreadable as error:
        raise Refused(f"{note.path}: {error}", "the file changed while it was read: try again") from None
    text = data.decode("utf-8-sig", "replace")
    at = 0
    for _ in range(note.body_line - 1):
        at = text.find("\n", at) + 1
    words = text[at:]
    # A file that ends with its closing fence has no body; its last line is the fence.
    return "" if words.rstrip() == "---" else words
