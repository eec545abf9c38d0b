# SPDX-License-Identifier: MIT
"""Results in host memory: numpy arrays that show themselves in a notebook."""

import os
import tempfile

import numpy

LARGEST_SHOWN = 1024


class Image(numpy.ndarray):
    """A numpy array that knows its form of alpha and, when it comes from a file, the file's metadata."""

    alpha_form = None
    metadata = None

    def _repr_png_(self):
        """The picture as PNG, at most 1024 pixels wide and high; None for arrays that are no pictures."""
        from . import _core
        from ._filters import resize
        from ._graph import graph

        shape = self.shape
        if self.ndim not in (2, 3) or 0 in shape or (self.ndim == 3 and shape[2] > 4):
            return None
        if self.dtype.name not in ("uint8", "uint16", "float16", "float32"):
            return None
        form = self.alpha_form or ("straight" if self.ndim == 3 and shape[2] == 4 else None)
        scale = LARGEST_SHOWN / max(shape[:2])
        if scale < 1:
            picture = resize(self, scale=scale, dtype="uint8", alpha_form=form)
        else:
            picture = graph("split")(self, dtype="uint8", alpha_form=form)
        if picture.ndim == 3 and picture.shape[2] == 2 and form is None:
            return None
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "shown.png")
        try:
            _core.write(os.fsencode(path), picture, form, "", "", None, True)
            with open(path, "rb") as file:
                return file.read()
        finally:
            if os.path.exists(path):
                os.unlink(path)
            os.rmdir(folder)
