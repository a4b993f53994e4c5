"""Writing files so that none is ever half written, and none but a saved game is overwritten by one."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import msgspec

from grognard.core.errors import GrognardError
from grognard.core.open_files import SAVED, read_bytes
from grognard.core.session import Session


def write_safely(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: what stood there before stays until the new one is complete."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o666 & ~_umask()
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:50]}.")
    except (OSError, ValueError) as error:
        raise GrognardError(f"{path}: can't be written: {getattr(error, 'strerror', None) or error}") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise GrognardError(f"{path}: can't be written: {error.strerror}; nothing was changed") from None
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_save(path: Path, game: Session) -> None:
    """Save a game; a file that is no saved game is not overwritten."""
    if path.exists():
        try:
            head = msgspec.json.decode(read_bytes(path))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            head = None
        if not isinstance(head, dict) or head.get("format") != SAVED:
            raise GrognardError(f"{path}: that file exists and is not a saved game; choose another name")
    write_safely(path, game.save())
