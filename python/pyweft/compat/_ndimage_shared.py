# SPDX-License-Identifier: MIT
"""What the drop-ins for scipy.ndimage share: which two axes are filtered, borders, and where results go."""

import numpy

from ._shared import BORDERS, FULL, border_of, demand, image_of, options_of, plain, refuse


class Image:
    """An array whose two filtered axes weft sees as rows and columns."""

    def __init__(self, array, axes=None):
        seen = numpy.asarray(array)
        demand(seen.ndim >= 2, f"input has {seen.ndim} axes; weft filters two of them")
        axes = tuple(range(seen.ndim)) if axes is None else tuple(axis % seen.ndim for axis in axes)
        refuse(len(axes) != 2 or sorted(axes) != list(axes), f"axes {axes} of {seen.ndim}; weft filters two of them, in order")
        last = seen.ndim - 1
        if axes == (last - 1, last):
            self.layout = "HW"
        else:
            refuse(axes != (last - 2, last - 1) or seen.shape[last] > 4,
                   f"axes {axes} of {seen.shape}: they must be the last two, or the two before one of at most 4")
            self.layout = "HWC"
        image_of(seen[(0,) * (seen.ndim - (2 if self.layout == "HW" else 3))] if seen.size else seen.reshape(0, 0), "input")
        self.array, self.axes = seen, axes

    def kind(self, output):
        """The component type of the result."""
        wanted = output.dtype if isinstance(output, numpy.ndarray) else output
        name = self.array.dtype.name if wanted is None else numpy.dtype(wanted).name
        refuse(name != self.array.dtype.name and name != "float32", f"output of {name}: there are that of the input, and float32")
        return name

    def run(self, node, dtype=None):
        """Runs a graph of one input; channels are planes of their own, since point filters would keep a fourth."""
        if self.layout == "HWC":
            made = plain(node(numpy.moveaxis(self.array, -1, 0), layout="HW", dtype=dtype, alpha_form="none"))
            return numpy.ascontiguousarray(numpy.moveaxis(made, 0, -1))
        return plain(node(self.array, layout="HW", dtype=dtype, alpha_form="none"))


def pairs(value, axes, count, what):
    """Of each filtered axis."""
    values = tuple(value) if numpy.iterable(value) and not isinstance(value, str) else (value,) * len(axes)
    demand(len(values) == len(axes), f"{what} has {len(values)} entries for {len(axes)} axes")
    return values


def filtered(array, axes, what, values, neutral):
    """The image and the values of its two axes: axes whose value changes nothing are left out."""
    seen = numpy.asarray(array)
    axes = tuple(range(seen.ndim)) if axes is None else tuple(axis % seen.ndim for axis in axes)
    values = pairs(values, axes, seen.ndim, what)
    if len(axes) > 2:
        kept = [i for i, value in enumerate(values) if value not in neutral]
        if kept and len(kept) < 2 and seen.ndim > 2:
            kept = sorted({*kept, kept[0] + 1 if kept[0] + 1 < len(axes) and axes[kept[0]] + 1 < seen.ndim else kept[0] - 1})
        axes, values = tuple(axes[i] for i in kept), tuple(values[i] for i in kept)
    return Image(seen, axes), values


def border(mode, cval, image):
    modes = {mode} if isinstance(mode, str) else set(mode)
    refuse(len({BORDERS.get(name, name) for name in modes}) != 1, f"mode={mode}: weft has one border for all axes")
    border = border_of(modes.pop(), "mode")
    return options_of(border, outside(cval, border, image.array), FULL[image.array.dtype.name])


def outside(cval, border, array):
    """The value of what lies outside. Beyond the levels of uint8 SciPy's begin anew."""
    refuse(border == "constant" and array.dtype == numpy.uint8 and not 0 <= cval <= 255,
           f"cval={cval} of uint8, which SciPy lets begin anew outside 0 to 255")
    return float(cval)


def deliver(result, output):
    if isinstance(output, numpy.ndarray):
        demand(output.shape == result.shape, f"output has the shape {output.shape}, the result {result.shape}")
        output[...] = result
        return output
    return result
