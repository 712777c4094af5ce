"""A MemoryCustodian tree (protocols 0.5 to 0.8) as a harvest.

Its authoritative files hold what a person confirmed; its inbox holds candidates; its archive and what it
marks as superseded is history.  The manifest says which tasks load what.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from memwarden.core.note import ACTIVE, ARCHIVED, CANDIDATE
from memwarden.core.subject import PROJECT
from memwarden.edit.importing.custodian_entry import claim_of, entity_of, is_boilerplate
from memwarden.edit.importing.custodian_manifest import Map, module_for, read_map
from memwarden.edit.importing.harvest import Claim, Entity, Harvest, Loss
from memwarden.edit.importing.page import CODE, COMMENT, ITEM, NEVER_CLOSED, Block, read_page, title_of
from memwarden.errors import UsageError

MANIFEST = "manifest.md"
# Where the tree is, below the folder that was named.
HOMES = ("", "docs/memory/")

_KIND = re.compile(r"(?:rule|profile|area):\s*", re.IGNORECASE)
_TEMPLATE = re.compile(r"[-*] TODO:")


def read(texts: Mapping[str, str], named: str = "this") -> Harvest:
    """The harvest of a tree, its files keyed by their path below the folder that a person ``named``.

    Raises :class:`UsageError` where it is no such tree.
    """
    home = next((home for home in HOMES if home + MANIFEST in texts), None)
    if home is None:
        raise UsageError(
            f"{named} is no MemoryCustodian tree: it has no manifest.md", "name the folder that holds it"
        )
    files = {path[len(home) :]: path for path in sorted(texts) if path.startswith(home)}
    manifest = read_map(texts[home + MANIFEST], home + MANIFEST, frozenset(files))
    reading = _Reading(manifest)
    for name, path in files.items():
        if name != MANIFEST:
            reading.file(name, path, texts[path])
    return Harvest(
        tuple(reading.claims),
        tuple(reading.entities),
        manifest.courses,
        manifest.districts,
        manifest.allowances,
        tuple(sorted((*reading.lost, *manifest.lost))),
    )


class _Reading:
    """One pass over the files of a tree."""

    def __init__(self, manifest: Map) -> None:
        self.manifest = manifest
        self.claims: list[Claim] = []
        self.entities: list[Entity] = []
        self.lost: list[Loss] = []

    def file(self, name: str, path: str, text: str) -> None:
        module = module_for(name)
        unclosed = read_page(text).open
        if unclosed:
            self.lost.append(Loss(path, unclosed, NEVER_CLOSED))
        if name.rpartition("/")[2] == "README.md":
            page = read_page(text)
            if page.sections or any(not _is_empty(block) for block in page.blocks):
                self.lost.append(Loss(path, 1, "a README is about the folder, and no entry"))
        elif name == "subjects.md":
            self._subjects(path, text)
        elif name == "brief.md":
            self._brief(path, text)
        elif name == "changelog.md":
            self.lost.append(Loss(path, 1, "a log of maintenance: git and the events keep that here"))
        elif name.startswith("archive/"):
            self._entries(path, text, "archive/", ARCHIVED)
        elif module == "inbox/":
            self._entries(path, text, module, CANDIDATE)
        elif module:
            self._entries(path, text, module, ACTIVE)
        else:
            self.lost.append(Loss(path, 1, "no file of the protocol"))

    def _subjects(self, path: str, text: str) -> None:
        page = read_page(text)
        for block in page.blocks:
            if not _is_empty(block):
                self.lost.append(Loss(path, block.line, "no subject: it stands outside any"))
        for section in page.sections:
            entity = entity_of(section, path)
            if entity is None:
                self.lost.append(Loss(path, section.line, "no subject: the heading has no MC-SUBJ ID"))
            else:
                self.entities.append(entity)

    def _brief(self, path: str, text: str) -> None:
        page = read_page(text)
        lines = text.replace("\r\n", "\n").split("\n")
        body = "\n".join(line for line in lines if line.strip() != f"# {page.title}").strip("\n")
        if not body.strip() or _TEMPLATE.search(body):
            self.lost.append(Loss(path, 1, "the brief is still its template"))
            return
        self.claims.append(
            Claim(path, 1, page.title or "Project brief", body, ACTIVE, "brief.md", "", PROJECT, "overview")
        )

    def _entries(self, path: str, text: str, module: str, place: str) -> None:
        page = read_page(text)
        # A rule, profile or area file is what it says; in the root files only entries count.
        is_prose = module.startswith(("rules/", "profiles/", "areas/"))
        run: list[Block] = []
        for block in (*page.blocks, Block(ITEM, 0, "")):
            if _is_empty(block):
                continue
            if block.kind == CODE and not is_prose:
                self.lost.append(Loss(path, block.line, "a code block outside any entry"))
            elif block.kind != ITEM:
                run.append(block)
            else:
                if run:
                    self._prose(path, page.title, run, module, place if is_prose else _lesser(place))
                    run = []
                if block.text:
                    title, body = title_of(block.text)
                    self.claims.append(Claim(path, block.line, title, body, place, module))
        for section in page.sections:
            claim, lost = claim_of(section, path, module, place, decode=self.manifest.decode)
            self.claims.append(claim)
            self.lost += lost

    def _prose(self, path: str, name: str, run: list[Block], module: str, place: str) -> None:
        body = "\n\n".join(block.text for block in run)
        title = _KIND.sub("", name) if place == ACTIVE else title_of(body)[0]
        why = "prose outside any entry" if place == CANDIDATE else ""
        self.claims.append(Claim(path, run[0].line, title or title_of(body)[0], body, place, module, why))


def _is_empty(block: Block) -> bool:
    """Whether it says nothing that somebody wrote."""
    return block.kind == COMMENT or is_boilerplate(block.text)


def _lesser(place: str) -> str:
    return CANDIDATE if place == ACTIVE else place
