"""The teacher's layers in NumPy, with the gradient by the input rows: only these are trained."""

import numpy as np

from encoder import WIDTH, WINDOWS

REACH = 2


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)


def normalized(rows, scale, shift, epsilon):
    """Returns also the values that the gradient needs."""
    centered = rows - rows.mean(1, keepdims=True)
    width = 1 / np.sqrt((centered**2).mean(1, keepdims=True) + epsilon)
    centered *= width
    return centered * scale + shift, (centered, width, scale)


def by_normalized(by, kept):
    centered, width, scale = kept
    by = by * scale
    return (by - by.mean(1, keepdims=True) - centered * (by * centered).mean(1, keepdims=True)) * width


class Network:
    """A network whose input rows have one number for each of `directions` of the teacher's rows."""

    def __init__(self, weights, directions):
        self.weights, self.directions, self.epsilon = weights, directions, float(weights["eps"])
        joined = {name: np.concatenate([weights[f"{name}{length}"] for length, _ in WINDOWS], axis=-1)
                  for name in ("proj", "proj_b", "ln_g", "ln_b")}
        self.projection, self.shift = directions @ joined["proj"], joined["proj_b"]
        self.read = joined["ln_g"], joined["ln_b"], self.epsilon
        self.said = weights["ln_g"], weights["ln_b"], self.epsilon
        # For the gradient through a window: each neighbour's part of the matrix, transposed.
        self.back = {name: np.concatenate([part.T for part in weights[name].reshape(-1, WIDTH, WIDTH)])
                     for length, _ in WINDOWS for name in (f"w1_{length}", f"w2_{length}")}

    def forward(self, rows, lengths):
        """The vectors of texts, not normalized; the texts' rows are concatenated."""
        weights, starts = self.weights, np.concatenate([[0], np.cumsum(lengths)[:-1]])
        around = neighbours(starts, lengths)
        read, kept_read = normalized(rows @ self.projection + self.shift, *self.read)
        said, active = [rows @ self.directions], []
        for place, (length, before) in enumerate(WINDOWS):
            heard = read[:, place * WIDTH : (place + 1) * WIDTH]
            window = around[:, REACH - before : REACH - before + length]
            for layer in (1, 2):
                inside = gathered(heard, window) @ weights[f"w{layer}_{length}"] + weights[f"b{layer}_{length}"]
                active.append(inside > 0)
                heard = np.maximum(inside, 0) + heard
            said.append(heard)
        each, kept_said = normalized(np.concatenate(said, 1), *self.said)
        root = np.sqrt(lengths, dtype=np.float32)[:, None]
        pooled = np.add.reduceat(each, starts) @ weights["cnn_W"] / root + root * weights["cnn_b"]
        first = np.maximum(pooled @ weights["d0"], 0)
        second = np.maximum(pooled @ weights["p1"] + first @ weights["d1"], 0)
        third = np.maximum(second @ weights["d2"], 0)
        vectors = np.tanh(second @ weights["p3"] + third @ weights["d3"])
        return vectors, (lengths, around, kept_read, active, kept_said, root, first, second, third, vectors)

    def backward(self, by, kept):
        """The gradient of the loss by the rows, from its gradient by the vectors."""
        weights = self.weights
        lengths, around, kept_read, active, kept_said, root, first, second, third, vectors = kept
        by = by * (1 - vectors**2)
        by_third = (by @ weights["d3"].T) * (third > 0)
        by_second = (by @ weights["p3"].T + by_third @ weights["d2"].T) * (second > 0)
        by_first = (by_second @ weights["d1"].T) * (first > 0)
        by_pooled = by_second @ weights["p1"].T + by_first @ weights["d0"].T
        by_each = np.repeat(by_pooled @ weights["cnn_W"].T / root, lengths, axis=0)
        by_said = by_normalized(by_each, kept_said)
        width = self.directions.shape[1]
        by_read = []
        for place, (length, before) in enumerate(WINDOWS):
            by_heard = by_said[:, width + place * WIDTH : width + (place + 1) * WIDTH]
            # Mirrored: the rows whose windows contain this row.
            window = around[:, REACH + before - length + 1 : REACH + before + 1][:, ::-1]
            for layer in (2, 1):
                by_inside = by_heard * active[2 * place + layer - 1]
                by_heard = gathered(by_inside, window) @ self.back[f"w{layer}_{length}"] + by_heard
            by_read.append(by_heard)
        by_projected = by_normalized(np.concatenate(by_read, 1), kept_read)
        return by_projected @ self.projection.T + by_said[:, :width] @ self.directions.T


def neighbours(starts, lengths):
    """The row numbers around each row; outside of its text the number of a row of zeros."""
    places = np.arange(lengths.sum())[:, None] + np.arange(-REACH, REACH + 1)
    first, end = np.repeat(starts, lengths)[:, None], np.repeat(starts + lengths, lengths)[:, None]
    return np.where((places >= first) & (places < end), places, lengths.sum())


def gathered(rows, window):
    with_zeros = np.concatenate([rows, np.zeros((1, rows.shape[1]), rows.dtype)])
    return with_zeros[window].reshape(len(rows), -1)
