"""Pieces that the teacher's vocabulary lacks: letters, and the most frequent words of each language."""

import unicodedata
from collections import Counter

import numpy as np

from pieces import WORD, words_of

MOST, LETTER_USES, LANGUAGES, OWN = 6_000, 20, 38, 3


def is_letters(text):
    """True for letters, and combining marks of some scripts' letters."""
    return all(unicodedata.category(letter)[0] in "LM" for letter in text)


def new_pieces(cut, learned, kept):
    """Texts and scores. Excludes words that English or a teacher's language uses as often."""
    taught = Counter(word for text in kept for word in words_of(text))
    taught.update(word for pairs in learned.values() for english, _ in pairs for word in words_of(english))
    uses = {name: Counter(word for _, text in pairs for word in words_of(text)) for name, pairs in learned.items()}
    letters, found, ranked = Counter(), {}, []
    for used in (*uses.values(), taught):
        for word, times in used.items():
            letters.update(dict.fromkeys(word, times))
    for letter, times in letters.items():
        if times >= LETTER_USES and is_letters(letter) and not cut.starts.get(letter):
            found[letter] = times / letters.total()
    for used in uses.values():
        worth = {}
        for word, times in used.items():
            share = times / used.total()
            is_own = share > OWN * taught[word] / taught.total() and not cut.starts.get(WORD + word)
            if is_own and len(word) > 2 and is_letters(word):
                worth[word] = share * (len(cut.of_word(WORD + word)) - 1)
        ranked.append(iter(sorted((word for word in worth if worth[word]), key=lambda word: (-worth[word], word))))
    while len(found) < MOST:
        for used, words in zip(uses.values(), ranked):
            if word := next(words, None):
                found[WORD + word] = max(found.get(WORD + word, 0), used[word] / used.total())
    return list(found), [round(float(np.log(share / LANGUAGES)), 2) for share in found.values()]
