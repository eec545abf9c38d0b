# SPDX-License-Identifier: MIT
"""The family of exceptions, and how one is made of an error of the C library."""


class Error(Exception):
    """What weft refuses or cannot do. `filter`, `parameter`, `node`, `offset` and `length` say where, as far as that is
    known; a graph's text is shown with a caret under the place."""

    filter = parameter = text = None
    node = offset = -1
    length = 0


class ArgumentError(Error, ValueError):
    """A call that cannot be: no array, a wrong number of images, memory that overlaps."""


class GraphError(Error, ValueError):
    """The text or the wiring of a graph is wrong."""


class ParameterError(Error, ValueError):
    """A parameter is unknown, not a number, or out of its range."""


class FormatError(Error, ValueError):
    """Sizes or formats that are no images, or do not fit together."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file cannot be read or written, or is not what it claims."""


class UnsupportedError(Error, NotImplementedError):
    """Well formed, but this build or device cannot do it."""


class DeviceError(Error, RuntimeError):
    """The device failed or does not exist."""


class CancelledError(Error):
    """The caller's progress function asked to stop."""


class InternalError(Error, RuntimeError):
    """A defect in weft."""


FAMILY = {
    "argument": ArgumentError, "graph": GraphError, "parameter": ParameterError, "format": FormatError,
    "memory": OutOfMemoryError, "file": FileError, "unsupported": UnsupportedError, "device": DeviceError,
    "cancelled": CancelledError, "internal": InternalError,
}


def caret(text, offset, length):
    """The line of a text that a place is in, and carets under the place."""
    begin = text.rfind(b"\n", 0, offset) + 1
    end = text.find(b"\n", offset)
    line = text[begin:end if end >= 0 else len(text)]
    before, marked = line[:offset - begin].decode(errors="replace"), line[offset - begin:offset - begin + length]
    return f"  {line.decode(errors='replace')}\n  {' ' * len(before)}{'^' * max(1, len(marked.decode(errors='replace')))}"


def make(status, message, filter, parameter, node, offset, length, text):
    words = message.decode(errors="replace")
    if offset >= 0 and text:
        words += "\n" + caret(text, offset, length)
    error = FAMILY.get(status, InternalError)(words)
    error.filter, error.parameter = filter or None, parameter or None
    error.node, error.offset, error.length = node, offset, length
    error.text = text.decode(errors="replace") or None
    return error


def cast(array, format):
    """Why an array's components are refused, and the cast that would do."""
    name = str(getattr(array, "dtype", None) or format).replace("torch.", "")
    library = type(array).__module__.partition(".")[0]
    into = {"torch": ".to(torch.{})"}.get(library, ".astype(\"{}\")")
    to = "float32" if "float" in name or name in "dg" else "uint16" if "16" in name or "32" in name or "64" in name else "uint8"
    remedy = into.format(to)
    if name in ("bool", "?"):
        remedy = into.format("uint8") + " * 255"
    if getattr(getattr(array, "dtype", None), "byteorder", "=") == ">":
        remedy = into.format(name[1:] if name[:1] == ">" else name)
        remedy = f".astype(array.dtype.newbyteorder(\"=\"))"
    return (f"components of {name} are none of uint8, uint16, float16 and float32 in this machine's byte order: cast "
            f"the array, as by {remedy}")
