"""The start of a piece's row: the rows of the English pieces that it translates (IBM alignment model 1)."""

import numpy as np
from scipy import sparse

ROUNDS, LEAST, MOST_STRETCH = 4, 0.02, 1.5


def shares_of_english(pairs, count):
    """Pairs of a piece and an English piece, and how often they align; -1 stands for no English piece."""
    lengths = [(len(text), len(english) + 1) for text, english in pairs]
    places = np.concatenate([np.repeat(text, wide) for (text, _), (_, wide) in zip(pairs, lengths)])
    englishes = np.concatenate([np.tile([-1, *english], long) for (_, english), (long, _) in zip(pairs, lengths)])
    words = np.repeat(np.arange(sum(long for long, _ in lengths)),
                      np.concatenate([np.full(long, wide) for long, wide in lengths]))
    keys, which = np.unique(places.astype(np.int64) * (count + 1) + englishes + 1, return_inverse=True)
    piece, english = keys // (count + 1), keys % (count + 1) - 1
    likely = np.ones(len(keys))
    for _ in range(ROUNDS):
        each = likely[which]
        each /= np.bincount(words, each)[words]
        uses = np.bincount(which, each, len(keys))
        likely = uses / np.bincount(english + 1, uses, count + 1)[english + 1]
    return piece, english, uses


def started(rows, pairs, free):
    """The rows, moved towards those of the aligned English pieces as far as `free` allows."""
    count = len(free)
    piece, english, uses = shares_of_english(pairs, count)
    share = uses / np.bincount(piece, uses, count)[piece]
    likely = np.flatnonzero((english >= 0) & (share > LEAST))
    matrix = sparse.csr_matrix((share[likely], (piece[likely], english[likely])), (count, count), np.float32)
    found = matrix @ rows[:count]
    # Rescaled, since a mean of rows is shorter than the rows.
    length = matrix @ np.linalg.norm(rows[:count], axis=1)
    found *= np.minimum(length / np.maximum(np.linalg.norm(found, axis=1), 1e-6), MOST_STRETCH)[:, None]
    begun = rows.copy()
    begun[:count] += free[:, None] * (found - rows[:count])
    return begun
