"""Where the training starts: `python start.py WORK`."""

import sys
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

from pieces import read_pieces

OWN, SIZE = 4, 0.3


def sums(work, name, vectors, count):
    """For each piece the sum of the vectors of the texts that it stands in, and how many these are."""
    stored = np.load(work / f"x_{name}.npz")
    targets = stored["target"]
    lengths = np.diff(stored["off"])
    places = np.repeat(np.arange(len(targets)), lengths)
    values = np.repeat((1 / np.sqrt(lengths)).astype(np.float32), lengths)
    by_piece = sparse.csr_matrix((values, (stored["flat"], places)), shape=(count, len(targets)))
    return by_piece @ vectors[targets], np.asarray(by_piece.sum(1)).ravel(), len(targets)


def main(work):
    """A row is the mean of the vectors of what a piece stands in, and of itself alone, times its rarity."""
    count, random = len(read_pieces(work).pieces), np.random.default_rng(1)
    english = np.load(work / "english.npy").astype(np.float32)
    some = english[random.permutation(len(english))[:30_000]]
    directions = np.linalg.eigh(some.T @ some / len(some))[1][:, ::-1].astype(np.float32)
    np.save(work / "directions.npy", directions)
    english = english @ directions
    middle = english.mean(0)
    own = np.load(work / "pieces.npy").astype(np.float32) @ directions - middle
    pairs, in_pairs, texts = sums(work, "pairs", english - middle, count)
    alone, in_english, sentences = sums(work, "english", english - middle, count)
    itself, in_itself, _ = sums(work, "pieces", own, count)
    times = in_pairs + in_english
    rows = (pairs + alone + OWN * itself) / (times + OWN * in_itself + 3)[:, None]
    rarity = np.log((texts + sentences) / (times + 5))
    rows *= (rarity / rarity.max())[:, None]
    np.save(work / "start.npy", (SIZE * rows / np.sqrt((rows**2).mean())).astype(np.float32))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
