"""The pieces that the student keeps: `python choose_vocabulary.py WORK`."""

import json
import random
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import numpy as np

from pieces import WORD, Pieces
from teacher import teacher_tokenizer

KEPT, SAMPLE, SPECIAL = 60_000, 250_000, 6


def lower_cased(tokenizer):
    """Pieces that are the same in lower case are one, as likely as both together."""
    likely = {}
    for piece, score in list(zip(tokenizer._pieces, tokenizer._scores))[SPECIAL:]:
        folded = unicodedata.normalize("NFKC", piece).lower()
        if folded and not any(letter.isspace() for letter in folded):
            likely[folded] = likely.get(folded, 0) + np.exp(float(score))
    return list(likely), [float(np.log(one)) for one in likely.values()]


def main(work):
    """What the training text uses, and what the teacher's own text did; a single letter stays in any case."""
    pieces, scores = lower_cased(teacher_tokenizer(work))
    cut, used, seen = Pieces(pieces, scores), Counter(), set()
    lines = (work / "pairs.jsonl").read_text().splitlines()
    for english, _, text in map(json.loads, random.Random(1).sample(lines, SAMPLE)):
        used.update(set(cut.pieces_of(text)))
        if english not in seen:
            seen.add(english)
            used.update(set(cut.pieces_of(english)))
    total = sum(used.values())
    worth = np.array([np.logaddexp(scores[at], np.log((used[at] + 1e-9) / total * 2)) for at in range(len(pieces))])
    worth[[at for at, piece in enumerate(pieces) if len(piece.replace(WORD, "")) <= 1]] = np.inf
    kept = np.sort(np.argsort(-worth, kind="stable")[:KEPT])
    lines = [[pieces[at], round(scores[at], 2)] for at in kept]
    (work / "vocabulary.json").write_text(json.dumps(lines, ensure_ascii=False))
    (work / "pieces.json").write_text(json.dumps([piece.replace(WORD, " ").strip() or "." for piece in pieces]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
