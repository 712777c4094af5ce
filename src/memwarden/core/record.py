"""Immutable records without the price of ``typing``, or of ``collections``.

``typing.NamedTuple`` is the right type for our small records, but importing ``typing`` costs as much as
starting Python again, and every agent tool call may pass through this package.  Type checkers see
``typing.NamedTuple``; the running program gets the class below, which builds the same kind of class as
``collections.namedtuple`` does from the same annotations.  A constructor is compiled when the first
record of its type is made: most types that a tool call loads are never asked for one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    try:
        from _collections import _tuplegetter as _field
    except ImportError:

        def _field(index, doc):
            return property(lambda record: record[index], doc=doc)

    class _RecordType(type):
        """Turns an annotated class body into a tuple class of the same name, with named fields."""

        def __new__(mcs, name, bases, body):
            if not bases:
                return super().__new__(mcs, name, bases, body)
            fields = tuple(_field_names(body))
            defaults = {field: body[field] for field in fields if field in body}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has one")
            inner = {key: value for key, value in body.items() if key not in _BORROWED}
            for index, field in enumerate(fields):
                inner[field] = _field(index, field)
            inner.update(_SHARED)
            inner.update(
                __slots__=(),
                __module__=body["__module__"],
                __qualname__=body["__qualname__"],
                __doc__=body.get("__doc__") or f"{name}({', '.join(fields)})",
                __match_args__=fields,
                _fields=fields,
                _field_defaults=defaults,
            )
            inner["__new__"] = _first_new
            return type(name, (tuple,), inner)

    def _field_names(body):
        annotations = body.get("__annotations__")
        if annotations is None:  # a future Python that only keeps the lazy form
            annotations = body["__annotate__"](4)
        return list(annotations)

    def _first_new(cls, *args, **kwargs):
        """The first record of a type: compile its constructor, as ``namedtuple`` does at once."""
        owner = next(base for base in cls.__mro__ if "_fields" in base.__dict__)
        names = ", ".join(owner._fields)
        code = f"lambda _cls, {names}: _new(_cls, ({names},))"
        new = eval(code, {"_new": tuple.__new__, "__builtins__": {}})  # noqa: S307  (our own field names)
        new.__defaults__ = tuple(owner._field_defaults.values())
        new.__name__, new.__qualname__ = "__new__", f"{owner.__name__}.__new__"
        owner.__new__ = staticmethod(new)
        return new(cls, *args, **kwargs)

    def _make(cls, iterable):
        record = tuple.__new__(cls, iterable)
        if len(record) != len(cls._fields):
            raise TypeError(f"expected {len(cls._fields)} fields, got {len(record)}")
        return record

    def _replace(self, /, **changes):
        record = self._make(map(changes.pop, self._fields, self))
        if changes:
            raise ValueError(f"got unexpected field names: {list(changes)!r}")
        return record

    def _asdict(self):
        return dict(zip(self._fields, self, strict=True))

    def _repr(self):
        shown = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
        return f"{type(self).__name__}({shown})"

    def _getnewargs(self):
        return tuple(self)

    _SHARED = {
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": _repr,
        "__getnewargs__": _getnewargs,
    }
    _BORROWED = ("__module__", "__qualname__", "__annotations__", "__annotate__", "__annotate_func__")
    _BORROWED += ("__doc__", "__dict__", "__weakref__", "__static_attributes__", "__firstlineno__")

    class NamedTuple(metaclass=_RecordType):
        """Base of every record: fields are the annotations, defaults the assigned values."""
