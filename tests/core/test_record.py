"""Records behave as named tuples do, and cost less to load."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections import namedtuple

import pytest

from memwarden.core.note import Anchor, Note
from memwarden.core.record import NamedTuple


class Point(NamedTuple):
    """A place."""

    x: int
    y: int = 2
    label: str = ""

    @property
    def total(self) -> int:
        return self.x + self.y


Same = namedtuple("Same", "x y label", defaults=(2, ""))


def test_record_is_made_and_read_like_a_named_tuple() -> None:
    for arguments, named in (((1,), {}), ((1, 5), {"label": "a"}), ((), {"x": 1, "y": 3})):
        record, same = Point(*arguments, **named), Same(*arguments, **named)
        assert record == same
        assert (record.x, record.y, record.label) == (same.x, same.y, same.label)
        assert repr(record) == repr(same).replace("Same", "Point")
        assert record._asdict() == same._asdict()
        assert hash(record) == hash(same)
    assert Point._fields == Same._fields
    assert Point._field_defaults == Same._field_defaults
    assert Point.__match_args__ == Same.__match_args__
    assert Point.__doc__ == "A place."


def test_record_has_the_methods_of_its_body() -> None:
    assert Point(1).total == 3


def test_fields_are_replaced_in_a_copy() -> None:
    record = Point(1)
    assert record._replace(y=9) == (1, 9, "")
    assert record == (1, 2, "")
    with pytest.raises(ValueError, match="unexpected"):
        record._replace(z=1)  # type: ignore[call-arg]


def test_wrong_arguments_are_refused() -> None:
    for arguments, named in (((), {}), ((1, 2, "", 4), {}), ((1,), {"z": 2}), ((1,), {"x": 2})):
        with pytest.raises(TypeError):
            Point(*arguments, **named)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Point._make((1, 2))


def test_field_without_default_after_one_with_is_refused() -> None:
    with pytest.raises(TypeError, match="default"):
        type(NamedTuple)(
            "Bad",
            (NamedTuple,),
            {"__module__": "m", "__qualname__": "Bad", "a": 1, "__annotations__": {"a": "int", "b": "int"}},
        )


def test_record_survives_copy_and_pickle() -> None:
    anchor = Anchor("path", "a.py")
    assert copy.deepcopy(anchor) == anchor
    assert pickle.loads(pickle.dumps(Note("memory/a.md", anchors=(anchor,)))).anchors == (anchor,)


def test_record_takes_no_other_attribute() -> None:
    with pytest.raises(AttributeError):
        Point(1).other = 1  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        Point(1).x = 1  # type: ignore[misc]


def test_records_load_neither_typing_nor_collections() -> None:
    code = (
        "import sys, memwarden.core.note as n; n.Note('a'); "
        "print([m for m in ('typing', 'collections', 're') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
