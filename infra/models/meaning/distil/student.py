"""The student: rows of pieces, summed, and one hidden layer. Its gradients are written out, so NumPy is enough."""

import numpy as np
import scipy.sparse as sparse

DIMENSIONS, HIDDEN, OUTPUT = 256, 384, 384


def unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-6)


def new_student(start, random):
    """`start` has a row for each piece; what the layers add begins near nothing."""
    return {
        "rows": start[:, :DIMENSIONS].copy(),
        "W1": random.normal(0, 1 / np.sqrt(DIMENSIONS), (DIMENSIONS, HIDDEN)).astype(np.float32),
        "b1": np.zeros(HIDDEN, np.float32),
        "W2": random.normal(0, 0.3 / np.sqrt(HIDDEN), (HIDDEN, OUTPUT)).astype(np.float32),
        "b2": np.zeros(OUTPUT, np.float32),
        "S": np.eye(DIMENSIONS, OUTPUT, dtype=np.float32),
    }


def counts_of(texts):
    """A sparse matrix of texts by the pieces that stand in them, and which pieces those are."""
    lengths = np.array([len(text) for text in texts])
    used, columns = np.unique(np.concatenate(texts), return_inverse=True)
    values = np.repeat(1 / np.sqrt(np.maximum(lengths, 1)), lengths).astype(np.float32)
    places = np.repeat(np.arange(len(texts)), lengths)
    return sparse.csr_matrix((values, (places, columns)), shape=(len(texts), len(used))), used


def forward(student, counts, used):
    """The vectors before they are of length one, and what the way back needs."""
    summed = counts @ student["rows"][used]
    length = np.linalg.norm(summed, axis=1, keepdims=True) + 1e-6
    pooled = summed / length * np.float32(np.sqrt(DIMENSIONS))
    hidden = pooled @ student["W1"] + student["b1"]
    vectors = np.maximum(hidden, 0) @ student["W2"] + student["b2"] + pooled @ student["S"]
    return vectors, (length, pooled, hidden)


def backward(student, counts, kept, by_vectors):
    """How the loss falls with each number; of the rows only with those that were used."""
    length, pooled, hidden = kept
    active = np.maximum(hidden, 0)
    by_hidden = (by_vectors @ student["W2"].T) * (hidden > 0)
    by_pooled = by_hidden @ student["W1"].T + by_vectors @ student["S"].T
    scale = np.float32(np.sqrt(DIMENSIONS))
    direction = pooled / scale
    by_summed = (by_pooled - direction * (by_pooled * direction).sum(1, keepdims=True)) * scale / length
    layers = {
        "W1": pooled.T @ by_hidden,
        "b1": by_hidden.sum(0),
        "W2": active.T @ by_vectors,
        "b2": by_vectors.sum(0),
        "S": pooled.T @ by_vectors,
    }
    return layers, counts.T @ by_summed


def embed(student, texts, together=512):
    parts = []
    for first in range(0, len(texts), together):
        counts, used = counts_of(texts[first : first + together])
        parts.append(unit(forward(student, counts, used)[0]))
    return np.concatenate(parts)
