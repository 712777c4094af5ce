"""Which keys a path and a glob share, so that a touch looks at a few anchors in place of all of them.

Wherever a glob matches a path, :func:`key_of_glob` is among :func:`keys_of_path`; the converse does not
hold, so the exact matcher still decides.  Four kinds of key, told apart by their first letter:

``p``  the folders (or the whole path) that every match starts with;
``n``  a literal last segment, which one of the path's names must equal;
``s``  the first letters of the last segment, where it has enough of them;
``e``  the leading folders and the extension of the last segment.

The path's side works on text alone: it is what every touch pays.
"""

from __future__ import annotations

START = 8
WILD = "*?[\\"


def keys_of_path(path: str) -> list[str]:
    """Every key under which an anchor that matches ``path`` may be filed."""
    names = path.rstrip("/").split("/")
    keys = ["p"]
    folders = [""]
    lead = ""
    for name in names:
        lead = lead + "/" + name if lead else name
        folders.append(lead)
        keys.append("p" + lead)
        keys.append("n" + name)
        if len(name) >= START:
            keys.append("s" + name[:START])
    for depth, name in enumerate(names):
        dot = name.rfind(".")
        if dot >= 0:
            keys += ["e" + folder + "\0" + name[dot:] for folder in folders[: depth + 1]]
    return keys


def key_of_glob(glob: str) -> str:
    """The one key under which an anchor is filed."""
    from memwarden.core.glob import literal_prefix  # a touch needs only the path's side

    prefix = literal_prefix(glob)
    text = glob.rstrip(" ").rstrip("/")
    if "\\" in text or "[" in text:
        return "p" + prefix
    last = text.rpartition("/")[2]
    if last == "**" or text.strip("/") == prefix:
        return "p" + prefix
    star, question = last.find("*"), last.find("?")
    if star < 0 and question < 0:
        return "n" + last
    start = last[: min(at for at in (star, question) if at >= 0)]
    if len(start) >= START:
        return "s" + start[:START]
    end = last[max(last.rfind("*"), last.rfind("?")) + 1 :]
    dot = end.rfind(".")
    if dot >= 0:
        return "e" + prefix + "\0" + end[dot:]
    return "p" + prefix
