"""How far a piece's row may move: by how much more the new languages use the piece than the teacher's languages."""

import numpy as np

CAUTION, WHILE_LEARNED = 5, 4


def shares(texts, count):
    used = np.bincount(np.concatenate(texts), minlength=count).astype(np.float32)
    return used / used.sum()


def freedom(learned, kept, scores, teachers):
    """From 0 to 1 for each piece; `learned` and `kept` are texts as pieces, by language.

    A piece's use by the teacher's languages is its share in their sentences or, if greater, in the teacher's training
    text: the scores of the first `teachers` pieces are from that text.
    """
    count = len(scores)
    learned = np.max([shares(texts, count) for texts in learned.values()], axis=0)
    kept = np.max([shares(texts, count) for texts in kept.values()], axis=0)
    kept[:teachers] = np.maximum(kept[:teachers], CAUTION * np.exp(scores[:teachers]))
    return (learned**2 / np.maximum(learned**2 + (CAUTION * kept) ** 2, 1e-30)).astype(np.float32)


def looseness(texts, scores):
    """The same during training: less cautious, by the use of all new languages together."""
    learned = shares(texts, len(scores))
    return (learned / (learned + WHILE_LEARNED * np.exp(scores))).astype(np.float32)
