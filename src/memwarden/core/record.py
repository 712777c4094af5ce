"""Immutable records without the price of ``typing``.

``typing.NamedTuple`` is the right type for our small records, but importing ``typing`` costs as much
as starting Python again, and every agent tool call may pass through this package.  Type checkers see
``typing.NamedTuple``; the running program gets the class below, which builds the very same kind of
class (a ``collections.namedtuple``) from the same annotations.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _RecordType(type):
        """Turns an annotated class body into a named tuple class of the same name."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = _field_names(body)
            defaults = [body[field] for field in fields if field in body]
            record = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields and key not in _BORROWED:
                    setattr(record, key, value)
            record.__doc__ = body.get("__doc__") or record.__doc__
            return record

    def _field_names(body):
        annotations = body.get("__annotations__")
        if annotations is None:  # a future Python that only keeps the lazy form
            annotations = body["__annotate__"](4)
        return list(annotations)

    _BORROWED = ("__module__", "__qualname__", "__annotations__", "__doc__", "__dict__", "__weakref__")

    class NamedTuple(metaclass=_RecordType):
        """Base of every record: fields are the annotations, defaults the assigned values."""
