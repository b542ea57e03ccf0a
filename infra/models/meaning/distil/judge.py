"""How many texts of the set that choices are made on find their twin among the first ten, by the cosine alone."""

import json
from pathlib import Path

import numpy as np

from pieces import read_pieces

SETS = Path(__file__).resolve().parents[4] / "test" / "evidence" / "sets" / "duplicates"
FIRST = 10


class Judge:
    """Beside the other texts of the set lie English paragraphs, where the work folder has some."""

    def __init__(self, work, name="paraphrases.jsonl"):
        reports = [json.loads(line) for line in (SETS / name).read_text().splitlines()]
        places = {report["id"]: place for place, report in enumerate(reports)}
        self.twins = [places[report["duplicate_of"][0]] for report in reports]
        self.same = np.array([reports[twin]["language"] == one["language"] for one, twin in zip(reports, self.twins)])
        others = work / "others.json"
        texts = [report["text"] for report in reports] + (json.loads(others.read_text()) if others.exists() else [])
        cut = read_pieces(work)
        self.texts = [np.array(cut.pieces_of(text), np.int64) for text in texts]
        self.texts = [text for text in self.texts if len(text)]

    def ranks(self, embed):
        vectors = embed(self.texts)
        count = len(self.twins)
        cosines = vectors[:count] @ vectors.T
        cosines[np.arange(count), np.arange(count)] = -9
        return (cosines > cosines[np.arange(count), self.twins][:, None]).sum(1)

    def __call__(self, embed):
        found = self.ranks(embed) < FIRST
        of = {"same language": self.same, "another": ~self.same}
        return {name: round(float(found[chosen].mean()), 3) for name, chosen in of.items()}
