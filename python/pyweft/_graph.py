# SPDX-License-Identifier: MIT
"""Graphs: from text, or of nodes that are chained by calls; and plans."""

import itertools
import shutil
import subprocess

from . import _core
from ._errors import ArgumentError, GraphError
from ._filters import Chain

_order = itertools.count()


class Results(tuple):
    """The results of a graph of several outputs, by place and by label."""

    labels = ()

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self.labels or not key:
                raise KeyError(f"{key!r} is no output; there are {', '.join(filter(None, self.labels)) or 'no labels'}")
            key = self.labels.index(key)
        return super().__getitem__(key)

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(str(error)) from None


def _results(result, labels):
    if not isinstance(result, tuple):
        return result
    results = Results(result)
    results.labels = labels
    return results


def _order_images(images, named, names):
    """Images by place and by name, in the order of the graph's inputs."""
    if not named:
        return images
    left = [name for name in names[len(images):]]
    if sorted(left) != sorted(named):
        raise ArgumentError(f"the graph's inputs by name are {', '.join(names) or 'none'}; given are {len(images)} by place and "
                            f"{', '.join(named)}")
    return images + tuple(named[name] for name in left)


def _order_out(out, labels):
    if not isinstance(out, dict):
        return out
    if set(out) - set(labels):
        raise ArgumentError(f"out names {', '.join(sorted(set(out) - set(labels)))}; the outputs are {', '.join(labels)}")
    ordered = tuple(out.get(label) for label in labels)
    return ordered if len(ordered) > 1 else ordered[0]


class Graph:
    """A graph of filters: call it with images. `inputs` and `labels` are the names of its inputs and outputs."""

    def __init__(self, core, inputs, labels, text):
        self._core, self.inputs, self.labels, self._text = core, tuple(inputs), tuple(labels), text
        self._nodes = None  # of a graph of nodes: its outputs by label, and its inputs
        self._named = ()    # of text: the names that its inputs were given

    def __call__(self, *images, layout="HWC", alpha_form=None, dtype=None, out=None, device=None, stream=None,
                 progress=None, **named):
        """Runs the graph on images, by place or by the name of an input. Several results come as a tuple, which knows
        them by label, too; `out` may be a dict of labels. `progress` is called now and then with the part that is done;
        when it returns False the run is cancelled."""
        images = _order_images(images, named, self.inputs) if named else images
        out = _order_out(out, self.labels)
        result = _core.call_graph(self._core, images, layout, alpha_form, dtype, out, device, stream, progress)
        return _results(result, self.labels) if len(self.labels) > 1 else result

    def plan(self, *images, layout="HWC", alpha_form=None, dtype=None, device=None):
        """The plan for such images; see weft.plan."""
        return plan(self, *images, layout=layout, alpha_form=alpha_form, dtype=dtype, device=device)

    def __reduce__(self):
        return (_graph_of_list, _list_of_nodes(self._nodes[0])) if self._nodes else (_graph_of_text, (self._text, self._named))

    def __repr__(self):
        return f"weft.graph({self._text!r})" if self._text else f"<weft.Graph of {', '.join(self.inputs) or 'nothing'}>"


def graph(text=None, /, *, inputs=(), **outputs):
    """A graph of its text, as in weft.graph("gaussian=4,sobel"); or of nodes by the label of the output that each makes,
    as in weft.graph(soft=node, edges=other). `inputs` gives names to the text's inputs, which are [0], [1] otherwise."""
    if isinstance(text, Graph):
        return text
    if isinstance(text, Node):
        outputs = {"": text, **outputs}
    elif text is not None:
        return _graph_of_text(text, (inputs,) if isinstance(inputs, str) else tuple(inputs))
    if not outputs or not all(isinstance(node, Node) for node in outputs.values()):
        raise ArgumentError("a graph is made of its text or of nodes, as weft.graph(soft=weft.input().gaussian(4))")
    return _graph_of_nodes(outputs)


def _graph_of_text(text, named):
    if not isinstance(text, str):
        raise ArgumentError(f"a graph is made of its text, or of nodes, not of a {type(text).__name__}")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise GraphError(f"the text of a graph is no Unicode: {error}") from None
    core = _core.graph_of_text(text, list(named))
    made = Graph(core, named + tuple(str(i) for i in range(len(named), core.inputs)), core.labels, text)
    made._named = named
    return made


def ordered(outputs):
    """All nodes that these are made of, each behind those that it reads."""
    order, done = [], set()
    for node in outputs:
        stack = [(node, False)]
        while stack:
            node, ready = stack.pop()
            if id(node) in done:
                continue
            before = [other for other in node.parts() if id(other) not in done]
            if ready or not before:
                done.add(id(node))
                order.append(node)
            else:
                stack.append((node, True))
                stack.extend((other, False) for other in reversed(before))
    inputs = sorted((node for node in order if node.number is None), key=lambda node: node.order)
    return inputs + [node for node in order if node.number is not None], inputs


def _graph_of_nodes(outputs):
    order, inputs = ordered(outputs.values())
    place = {id(node): i for i, node in enumerate(order)}
    specification = [(node.number, tuple(place[id(other)] for other in node.inputs),
                      tuple(value.bound(place) if isinstance(value, (Node, Number)) else value for value in node.values))
                     for node in order]
    core = _core.graph_of_nodes(specification, [place[id(node)] for node in outputs.values()])
    names = [node.name or str(i) for i, node in enumerate(inputs)]
    if len(set(names)) < len(names):
        raise ArgumentError(f"two inputs of the graph have one name: {', '.join(names)}")
    made = Graph(core, names, outputs, None)
    made._nodes = outputs, inputs
    return made


def _list_of_nodes(outputs):
    """The nodes as plain data, of any depth, and the places of outputs in it."""
    order, _ = ordered(outputs.values())
    place = {id(node): i for i, node in enumerate(order)}

    def plain(value):
        if isinstance(value, Node):
            value = value[0]
        return ("number", place[id(value.node)], value.index, value.scale) if isinstance(value, Number) else ("", value)

    return ([(node.number, tuple(place[id(other)] for other in node.inputs), tuple(map(plain, node.values)), node.name)
             for node in order], {label: place[id(node)] for label, node in outputs.items()})


def _graph_of_list(told, outputs):
    nodes = []
    for number, inputs, values, name in told:
        nodes.append(Node(number, tuple(nodes[i] for i in inputs), tuple(
            Number(nodes[value[1]], *value[2:]) if value[0] else value[1] for value in values), name))
    return _graph_of_nodes({label: nodes[i] for label, i in outputs.items()})


def nodes_of(made, formats=None):
    """The nodes that a graph is of, also where it was made of text: its outputs by label, and its inputs. With `formats`, of its
    inputs, those of single filters that it is made of on such images."""
    if made._nodes and formats is None:
        return made._nodes
    told, inputs, outputs = _core.nodes_of(made._core, formats)
    names = made._named + (None,) * (len(inputs) - len(made._named))
    nodes = dict(zip(inputs, map(input, names)))
    for i, each in enumerate(told):
        if each is not None:
            number, reads, values, merge, cells = each
            nodes[i] = Node(number, tuple(nodes[other] for other in reads), tuple(
                Number(nodes[value[0]], *value[1:]) if isinstance(value, tuple) else value for value in values))
            nodes[i].merge, nodes[i].cells = merge, cells
    return {label: nodes[output] for label, output in zip(made.labels, outputs)}, list(nodes.values())[:len(inputs)]


class Number:
    """A number that a node makes, as the value of another node's parameter: node[3], node[0] * 0.5."""

    def __init__(self, node, index, scale):
        self.node, self.index, self.scale = node, index, scale

    def __mul__(self, factor):
        return Number(self.node, self.index, self.scale * factor)

    __rmul__ = __mul__

    def bound(self, place):
        return _core.Bound(place[id(self.node)], self.index, self.scale)


class Node(Chain):
    """An image in a graph: an input, or what a filter makes. Filters are methods; a call runs the graph up to here."""

    def __init__(self, number, inputs, values, name=None):
        for other in inputs:
            if not isinstance(other, Node):
                raise ArgumentError(f"a node reads nodes, not a {type(other).__name__}: begin with weft.input()")
        self.number, self.inputs, self.values, self.name = number, inputs, values, name
        self.order = next(_order)
        self.merge = None  # of a reduction, where a graph was read: how the numbers of pieces become those of the whole
        self.cells = None  # where single filters were read: (first, count, side) of what each pixel is the mean of, along x and y
        self._graph = None

    def __getstate__(self):
        return {**self.__dict__, "_graph": None}

    def parts(self):
        """The nodes that this one reads, as images and for numbers."""
        return list(self.inputs) + [value if isinstance(value, Node) else value.node for value in self.values
                                    if isinstance(value, (Node, Number))]

    def __getitem__(self, index):
        return Number(self, index, 1.0)

    def __mul__(self, factor):
        return Number(self, 0, float(factor))

    __rmul__ = __mul__

    def bound(self, place):
        return _core.Bound(place[id(self)], 0, 1.0)

    def __call__(self, *images, **options):
        if self._graph is None:
            self._graph = graph(self)
        return self._graph(*images, **options)


def input(name=None):
    """An input of a graph, where a chain of filters begins: weft.input().gaussian(4).sobel(). Inputs are in the order in
    which they were made; a name lets calls name them."""
    return Node(None, (), (), name)


class Plan:
    """A graph made ready for images of given sizes and formats on a device. Any number of threads may run it."""

    def __init__(self, graph, core, layout, alpha_form):
        self.graph, self._core, self._layout, self._alpha_form = graph, core, layout, alpha_form

    @property
    def passes(self):
        """Walks over memory that a run makes."""
        return self._core.passes

    @property
    def bytes(self):
        """Bytes of pixels that a run reads and writes."""
        return self._core.bytes

    @property
    def memory(self):
        """Bytes of memory that a run takes for pixels at most."""
        return self._core.memory

    @property
    def workspace(self):
        """Bytes that a run needs beside its images."""
        return self._core.workspace

    @property
    def device(self):
        return self._core.device

    @property
    def inputs(self):
        """Of each input (width, height, channels, component type)."""
        return self._core.inputs

    @property
    def outputs(self):
        """Of each output (width, height, channels, component type)."""
        return self._core.outputs

    @property
    def numbers(self):
        """Of each output whether it is numbers of a reduction, not a picture."""
        return self._core.numbers

    def explain(self):
        """What the plan does, in words."""
        return self._core._print(0)

    def json(self):
        """The same as JSON text."""
        return self._core._print(1)

    def dot(self):
        """The same as a drawing for Graphviz."""
        return self._core._print(2)

    def reach(self, output=0, input=0):
        """How far an output looks at an input: (whether it reads it, whether the whole counts, pixels to the left, right,
        above and below)."""
        return self._core.reach(output, input)

    @property
    def remembers(self):
        """Whether filters of the graph keep images from one frame to the next: then frames() is what runs it on a video."""
        return self._core.remembers

    def run(self, *images, out=None, stream=None, progress=None, **named):
        """Runs the plan on images of its sizes and formats. For filters with a memory they are a first frame."""
        return self._run(images, named, out, stream, progress, None)

    def _run(self, images, named, out, stream, progress, frames):
        images = _order_images(images, named, self.graph.inputs) if named else images
        result = _core.call_plan(self._core, images, self._layout, self._alpha_form, _order_out(out, self.graph.labels),
                                 stream, progress, frames)
        return _results(result, self.graph.labels)

    __call__ = run

    def frames(self):
        """A stream of frames, before its first one: call it with one frame after the other."""
        return Frames(self)

    def __repr__(self):
        return f"<weft.Plan of {self.passes} pass{'es' * (self.passes != 1)} on {self.device}>\n{self.explain()}"

    def _repr_svg_(self):
        """The drawing, where Graphviz is installed."""
        if not shutil.which("dot"):
            return None
        return subprocess.run(["dot", "-Tsvg"], input=self.dot(), capture_output=True, text=True, check=True).stdout


class Frames:
    """A stream of frames through a plan: what its filters remember of those before. Call it with the next frame, or with several,
    which lie along the first axis. One thread at a time may do so; any number of streams may share a plan."""

    def __init__(self, plan):
        self.plan, self._core = plan, _core.Frames(plan._core)

    def run(self, *images, out=None, stream=None, progress=None, **named):
        """Makes of the next frame what the plan says."""
        return self.plan._run(images, named, out, stream, progress, self._core)

    __call__ = run

    def reset(self):
        """Forgets all frames: the next is the first one."""
        self._core.reset()

    @property
    def count(self):
        """How many frames there were."""
        return self._core.count


def _format_of(image, layout, alpha_form):
    """(width, height, channels, type, form of alpha) of an array, or of a pair of shape and type."""
    from ._arrays import type_name

    shape, dtype = image if isinstance(image, tuple) else (image.shape, image.dtype)
    own = shape[-2:] if len(shape) == 2 or layout.endswith("HW") and "C" not in layout else shape[-3:]
    if len(own) == 2:
        height, width, channels = *own, 1
    elif layout.endswith("HWC"):
        height, width, channels = own
    else:
        channels, height, width = own
    form = alpha_form or getattr(image, "alpha_form", None)
    return width, height, channels, type_name(dtype), form


def forms_of(alpha_form, count):
    """The form of alpha of each of so many images: a tuple says it for each, a word for all."""
    return alpha_form if isinstance(alpha_form, tuple) else (alpha_form,) * count


def formats_of(images, layout, alpha_form):
    forms = forms_of(alpha_form, len(images))
    if len(forms) != len(images):
        raise ArgumentError(f"alpha_form is a tuple of {len(forms)}, but there are {len(images)} images")
    return [_format_of(image, layout, form) for image, form in zip(images, forms)]


def plan(graph_or_text, *images, layout="HWC", alpha_form=None, dtype=None, device=None):
    """A plan for a graph and such images: arrays, or pairs of a shape and a component type, as in
    weft.plan("gaussian=4", ((1080, 1920, 3), "uint8"))."""
    made = graph(graph_or_text)
    core = _core.plan_of(made._core, formats_of(images, layout, alpha_form), dtype, device)
    return Plan(made, core, layout, alpha_form)
