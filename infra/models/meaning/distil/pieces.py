"""A text as the pieces that the student has: NFKC, lower case, each word by itself, the best sum of scores."""

import json
import unicodedata

WORD = "\u2581"
LONGEST = 512


class Pieces:
    """The earliest start wins where two ways have the same sum. What no piece stands for is left out."""

    def __init__(self, pieces, scores):
        self.pieces, self.scores = pieces, scores
        self.starts = {}
        for place, piece in enumerate(pieces):
            for length in range(1, len(piece)):
                self.starts.setdefault(piece[:length], 0)
            self.starts[piece] = place + 1
        self.longest = max(map(len, pieces))
        self.unknown = min(scores) - 10
        self.known = {}

    def pieces_of(self, text):
        found = []
        for word in unicodedata.normalize("NFKC", text).lower().split():
            found.extend(self.of_word(WORD + word))
            if len(found) >= LONGEST:
                break
        return found[:LONGEST]

    def of_word(self, word):
        if word in self.known:
            return self.known[word]
        best, start, piece = [0.0] + [-1e38] * len(word), [0] * (len(word) + 1), [-1] * (len(word) + 1)
        for first in range(len(word)):
            alone = False
            for end in range(first + 1, min(first + self.longest, len(word)) + 1):
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
        self.known[word] = found[::-1]
        return self.known[word]


def read_pieces(work):
    lines = json.loads((work / "vocabulary.json").read_text())
    return Pieces([piece for piece, _ in lines], [score for _, score in lines])
