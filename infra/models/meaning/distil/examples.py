"""The texts of the training: `python examples.py WORK english` before the teacher is asked, and `… cut` after."""

import json
import random
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from pieces import read_pieces

# The languages that the teacher reads; the others are learned from their translations alone, a fifth as many of each.
TAUGHT = set("ar zh zh-hant fr de it ja ko nl pl pt es th tr ru".split())
MOST_OF_A_LANGUAGE, MOST_OF_ANOTHER = 25_000, 5_000
ALONE = ("english", "pieces", "long", "plain")
TOGETHER, LONGEST, AT_LEAST = 24_000, 900, 36


def read_pairs(work):
    return [json.loads(line) for line in (work / "pairs.jsonl").read_text().splitlines()]


def english_of(pairs):
    return list(dict.fromkeys(english for english, _, _ in pairs))


def put_together(english, choose):
    """Two to six sentences as one text, of ten texts six from one corner of a catalogue."""
    long = [place for place, text in enumerate(english) if len(text) >= AT_LEAST]
    for _ in range(TOGETHER):
        count, first = choose.choice([2, 2, 3, 3, 4, 5, 6]), choose.randrange(len(long) - 40)
        is_near = choose.random() < 0.6
        chosen = [long[first + choose.randrange(12)] for _ in range(count)] if is_near else choose.sample(long, count)
        chosen = list(dict.fromkeys(chosen))
        text = " ".join(english[one] if english[one][-1] in ".!?" else english[one] + "." for one in chosen)
        if len(text) < LONGEST:
            yield chosen, text


def write_texts(work):
    english = english_of(read_pairs(work))
    together = list(put_together(english, random.Random(6)))
    (work / "english.json").write_text(json.dumps(english))
    (work / "long.json").write_text(json.dumps([text for _, text in together]))
    (work / "long_groups.json").write_text(json.dumps([chosen for chosen, _ in together]))


def translations(pairs, choose):
    """Of a language so many; of short ones half."""
    by_language = defaultdict(list)
    for english, language, text in pairs:
        by_language[language].append((english, text))
    for language in sorted(by_language):
        some = by_language[language]
        choose.shuffle(some)
        some = [pair for pair in some if len(pair[1]) > 14 or choose.random() < 0.5]
        yield from some[: MOST_OF_A_LANGUAGE if language in TAUGHT else MOST_OF_ANOTHER]


def together_in_others(pairs, place_of, groups, choose):
    """The same texts of several sentences in up to four languages that have all of them."""
    by_english = defaultdict(dict)
    for english, language, text in pairs:
        if language != "en":
            by_english[place_of[english]][language] = text
    for target, chosen in enumerate(groups):
        known = sorted(set.intersection(*(set(by_english[one]) for one in chosen)))
        for language in choose.sample(known, min(4, len(known))):
            yield " ".join(by_english[one][language] for one in chosen), target


def write_cut(work):
    """Each text as its pieces, with the place of the teacher's vector that it is drawn to."""
    pairs, choose, cut = read_pairs(work), random.Random(3), read_pieces(work)
    place_of = {english: place for place, english in enumerate(english_of(pairs))}
    alone = {name: json.loads((work / f"{name}.json").read_text()) for name in ALONE}
    kinds = {name: [(text, place) for place, text in enumerate(texts)] for name, texts in alone.items()}
    kinds["pairs"] = [(text, place_of[english]) for english, text in translations(pairs, choose)]
    kinds["long"] += together_in_others(pairs, place_of, json.loads((work / "long_groups.json").read_text()), choose)
    for name, examples in kinds.items():
        known = [(found, target) for text, target in examples if (found := cut.pieces_of(text))]
        starts = np.cumsum([0, *(len(found) for found, _ in known)])
        pieces = np.fromiter((piece for found, _ in known for piece in found), np.int32, count=starts[-1])
        np.savez(work / f"x_{name}.npz", flat=pieces, off=starts, target=np.array([target for _, target in known]))


if __name__ == "__main__":
    (write_texts if sys.argv[2] == "english" else write_cut)(Path(sys.argv[1]))
