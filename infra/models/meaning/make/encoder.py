"""The teacher's layers as an ONNX graph from a text's rows to its 512 numbers.

Each piece's windows of two, three and five neighbours go through two convolutions. The results of all pieces are summed
and go through dense layers. Products for each piece use integers: eight bits for inputs and seven for weights, so that
no processor's sums overflow. The final dense layers run once for each text, in floating point.
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

# The size of each window, and how many of its pieces come before the piece.
WINDOWS, WIDTH, MOST = ((2, 0), (3, 1), (5, 2)), 256, 64
DENSE = ("cnn_W", "d0", "d1", "d2", "d3", "p1", "p3")


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.count = [], {}, 0

    def constant(self, name, value):
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def add(self, operator, *inputs, **attributes):
        self.count += 1
        name = f"{operator}_{self.count}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name, **attributes))
        return name

    def whole(self, name, numbers, most):
        """A matrix as integers, and the scale of each column."""
        scale = np.maximum(np.abs(numbers).max(0), 1e-9).astype(np.float32) / most
        whole = np.round(numbers / scale).astype(np.int8)
        return self.constant(name, whole), self.constant(f"{name}_scale", scale)

    def quantized(self, rows):
        self.count += 1
        names = [f"{part}_{self.count}" for part in ("whole", "scale", "zero")]
        self.nodes.append(helper.make_node("DynamicQuantizeLinear", [rows], names, f"quantize_{self.count}"))
        return names

    def product(self, quantized, name, numbers):
        """Rows times a matrix, in integers."""
        weights, scale = self.whole(name, numbers, MOST)
        whole, of_rows, zero = quantized
        summed = self.add("Cast", self.add("MatMulInteger", whole, weights, zero), to=TensorProto.FLOAT)
        return self.add("Mul", summed, self.add("Mul", of_rows, scale))

    def dense(self, name, numbers):
        """A matrix stored with 8 bits; the runtime converts it to floating point once, when it loads the graph."""
        whole, scale = self.whole(name, numbers, 127)
        return self.add("Mul", self.add("Cast", whole, to=TensorProto.FLOAT), scale)

    def part(self, rows, first, end, axis):
        bounds = [self.constant(f"at_{bound}", np.array([bound], np.int64)) for bound in (first, end)]
        return self.add("Slice", rows, *bounds, self.constant(f"axis_{axis}", np.array([axis], np.int64)))

    def neighbours(self, quantized, length, before):
        """Each row with its neighbours, as integers; rows that stand for zeros pad the text."""
        rows, scale, zero = quantized
        pads = self.constant(f"pads_{length}", np.array([before, 0, length - 1 - before, 0], np.int64))
        padded = self.add("Pad", rows, pads, zero)
        shifted = [self.part(padded, at, at - length + 1 or 2**31, 0) for at in range(length)]
        return self.add("Concat", *shifted, axis=1), scale, zero


def encoder(weights, directions):
    graph, epsilon = Graph(), float(weights["eps"])

    def joined(name):
        return np.concatenate([weights[name.format(length)] for length, _ in WINDOWS], axis=-1)

    def normalized(rows, name, scale, shift):
        parts = graph.constant(f"{name}_scale", scale), graph.constant(f"{name}_shift", shift)
        return graph.add("LayerNormalization", rows, *parts, axis=-1, epsilon=epsilon)

    rows = graph.quantized("rows")
    said = [graph.product(rows, "directions", directions)]
    projected = graph.product(rows, "projection", directions @ joined("proj{}"))
    projected = graph.add("Add", projected, graph.constant("projection_shift", joined("proj_b{}")))
    read = normalized(projected, "read", joined("ln_g{}"), joined("ln_b{}"))
    for place, (length, before) in enumerate(WINDOWS):
        heard = graph.part(read, place * WIDTH, (place + 1) * WIDTH, 1)
        for layer in (1, 2):
            window = graph.neighbours(graph.quantized(heard), length, before)
            product = graph.product(window, f"window_{length}_{layer}", weights[f"w{layer}_{length}"])
            shift = graph.constant(f"window_{length}_{layer}_shift", weights[f"b{layer}_{length}"])
            heard = graph.add("Add", graph.add("Relu", graph.add("Add", product, shift)), heard)
        said.append(heard)
    each = normalized(graph.add("Concat", *said, axis=1), "said", weights["ln_g"], weights["ln_b"])
    mean = graph.add("ReduceMean", each, axes=[0], keepdims=1)
    matrix = {name: graph.dense(name, weights[name]) for name in DENSE}
    summed = graph.add("Add", graph.add("MatMul", mean, matrix["cnn_W"]), graph.constant("sum_shift", weights["cnn_b"]))
    length = graph.part(graph.add("Shape", "rows"), 0, 1, 0)
    root = graph.add("Sqrt", graph.add("Cast", length, to=TensorProto.FLOAT))
    pooled = graph.add("Mul", summed, root)

    def layer(*products):
        sums = [graph.add("MatMul", heard, matrix[name]) for heard, name in products]
        return sums[0] if len(sums) == 1 else graph.add("Add", *sums)

    first = graph.add("Relu", layer((pooled, "d0")))
    second = graph.add("Relu", layer((pooled, "p1"), (first, "d1")))
    third = graph.add("Relu", layer((second, "d2")))
    graph.nodes.append(helper.make_node("Tanh", [layer((second, "p3"), (third, "d3"))], ["meaning"], "meaning"))
    inputs = [helper.make_tensor_value_info("rows", TensorProto.FLOAT, ["pieces", len(directions)])]
    outputs = [helper.make_tensor_value_info("meaning", TensorProto.FLOAT, [1, 512])]
    made = helper.make_graph(graph.nodes, "encoder", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], producer_name="assay")
    model.ir_version = 8
    return model.SerializeToString()
