"""The training texts: translations into new languages, and sentences of the teacher's languages."""

import json
import random
from collections import defaultdict

# The teacher's languages beside English, whose sentences must keep the teacher's vectors.
TAUGHT = set("ar zh zh-hant fr de it ja ko nl pl pt es th tr ru".split())
MOST, KEPT, SHORT, SEED = 3_000, 200, 15, 3


def read_pairs(path):
    """By language: the pairs of an English sentence and a translation."""
    by_language = defaultdict(list)
    for english, language, text in map(json.loads, path.read_text().splitlines()):
        by_language[language].append((english, text))
    return by_language


def chosen(by_language):
    """Pairs to learn and sentences to keep, a fixed number for each language. Chosen English sentences go first."""
    choose, learned, known = random.Random(SEED), {}, set()
    for language in sorted(set(by_language) - TAUGHT, key=lambda name: (len(by_language[name]), name)):
        pairs = [pair for pair in by_language[language] if len(pair[1]) >= SHORT or choose.random() < 0.5]
        choose.shuffle(pairs)
        pairs.sort(key=lambda pair: pair[0] not in known)
        learned[language] = pairs[:MOST]
        known.update(english for english, _ in learned[language])
    kept = {name: [text for _, text in choose.sample(by_language[name], KEPT)] for name in sorted(TAUGHT)}
    return learned, kept
