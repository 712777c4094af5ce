"""Landlock: the Linux kernel's own promise that a process writes nowhere but where we say.

Spoken through ctypes (landlock(7)); there is no well-kept binding.  Only the rights that change files are
handled, so reading and running stay as they were.  What the kernel's Landlock does not govern (modes,
owners and times of files) is watched by comparing the tracked files before and after.
"""

from __future__ import annotations

import ctypes
import os
import sys

# The same numbers on every architecture that CPython runs on, but Alpha.
CREATE_RULESET = 444
ADD_RULE = 445
RESTRICT_SELF = 446

VERSION_FLAG = 1
RULE_PATH_BENEATH = 1
PR_SET_NO_NEW_PRIVS = 38

WRITE_FILE = 1 << 1
# remove_dir, remove_file, make_char, make_dir, make_reg, make_sock, make_fifo, make_block, make_sym
MAKE_AND_REMOVE = 0b1_1111_1111 << 4
REFER = 1 << 13  # since ABI 2
TRUNCATE = 1 << 14  # since ABI 3
# Since ABI 6: no signals to, and no abstract sockets of, processes outside.
SCOPES = (1 << 0) | (1 << 1)

# Devices that a program may write to without changing anything.
HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Refused(OSError):
    """The kernel did not take the rules."""


def abi() -> int:
    """The version of Landlock that this kernel offers, or 0."""
    if not sys.platform.startswith("linux"):
        return 0
    version = _syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(VERSION_FLAG))
    return max(version, 0)


def confine(writable: tuple[str, ...]) -> int:
    """Forbid this process, and all that it starts, every write outside the ``writable`` folders.

    Gives the ABI that is in force.  Raises :class:`Refused` where the kernel has none or refuses.
    """
    version = abi()
    if version < 1:
        raise Refused("this kernel has no Landlock")
    rights = WRITE_FILE | MAKE_AND_REMOVE
    if version >= 2:
        rights |= REFER
    if version >= 3:
        rights |= TRUNCATE
    ruleset = _create(rights, version)
    try:
        for folder in writable:
            _allow(ruleset, folder, rights)
        for device in HARMLESS:
            if os.path.exists(device):
                _allow(ruleset, device, rights & (WRITE_FILE | TRUNCATE))
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise Refused(ctypes.get_errno(), "no_new_privs was refused")
        if _syscall(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0)):
            raise Refused(ctypes.get_errno(), "the rules were refused")
    finally:
        os.close(ruleset)
    return version


def _create(rights: int, version: int) -> int:
    """struct landlock_ruleset_attr: access to files, to the network (none handled), scopes."""
    words = [rights]
    if version >= 4:
        words.append(0)
    if version >= 6:
        words.append(SCOPES)
    attributes = (ctypes.c_uint64 * len(words))(*words)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    ruleset = _syscall(CREATE_RULESET, ctypes.byref(attributes), size, ctypes.c_uint32(0))
    if ruleset < 0:
        raise Refused(ctypes.get_errno(), "no ruleset was given")
    os.set_inheritable(ruleset, False)
    return ruleset


class _PathBeneath(ctypes.Structure):
    """struct landlock_path_beneath_attr."""

    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def _allow(ruleset: int, path: str, rights: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathBeneath(rights, parent)
        kind = ctypes.c_int(RULE_PATH_BENEATH)
        if _syscall(ADD_RULE, ctypes.c_int(ruleset), kind, ctypes.byref(rule), ctypes.c_uint32(0)):
            raise Refused(ctypes.get_errno(), f"no rule for {path}")
    finally:
        os.close(parent)


def _syscall(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return int(libc.syscall(ctypes.c_long(number), *arguments))
