"""Counts translations that find their English sentence in the first ten of 2,000: `python judge.py WORK FOLDER`.

The translations are from packages that were not trained on. The layers are computed in floating point.
"""

import random
import sys
from pathlib import Path

import numpy as np

from examples import TAUGHT, read_pairs
from make import teacher
from network import Network, unit
from pieces import Pieces
from rows import TOP, directions

SENTENCES, ASKED, FIRST, TOGETHER, SEED = 2_000, 100, 10, 64, 5


def embedder(folder):
    """Vectors of texts by the files of a folder."""
    weights, _, _, of_teacher = teacher()
    lines = [line.split("\t") for line in (folder / "vocabulary.txt").read_text().rstrip("\n").split("\n")]
    halves = np.frombuffer((folder / "rows.bin").read_bytes(), np.uint8).reshape(len(lines) + 2, -1, 1)
    numbers = np.concatenate([halves & 15, halves >> 4], axis=2).reshape(len(halves), -1).astype(np.float32) - TOP - 1
    rows = numbers * np.frombuffer((folder / "scales.bin").read_bytes(), "<f4")[:, None]
    network = Network(weights, directions(of_teacher))
    cut = Pieces([text for text, _ in lines], [float(score) for _, score in lines])

    def embed(texts):
        found = [[len(lines), *cut.pieces_of(text), len(lines) + 1] for text in texts]
        parts = [found[first : first + TOGETHER] for first in range(0, len(found), TOGETHER)]
        vectors = [network.forward(rows[np.concatenate(part)], np.array(list(map(len, part))))[0] for part in parts]
        return unit(np.concatenate(vectors))

    return embed


def main(work, folder):
    by_language, choose, embed = read_pairs(work / "judged.jsonl"), random.Random(SEED), embedder(folder)
    english = sorted({sentence for pairs in by_language.values() for sentence, _ in pairs})
    place_of = {sentence: place for place, sentence in enumerate(choose.sample(english, SENTENCES))}
    known, means = embed(list(place_of)), {True: [], False: []}
    for language, pairs in sorted(by_language.items()):
        pairs = [pair for pair in pairs if pair[0] in place_of]
        asked = choose.sample(pairs, min(ASKED, len(pairs)))
        cosines, own = embed([text for _, text in asked]) @ known.T, [place_of[sentence] for sentence, _ in asked]
        before = (cosines > cosines[np.arange(len(own)), own][:, None]).sum(1)
        means[language in TAUGHT].append(float((before < FIRST).mean()))
        print(language, len(own), round(means[language in TAUGHT][-1], 2))
    print(*(f"{name} {np.mean(means[taught]):.3f}" for name, taught in (("learned", False), ("the teacher's", True))))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
