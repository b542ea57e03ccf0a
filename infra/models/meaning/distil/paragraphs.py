"""Longer English texts: paragraphs of what comes with the packages of this repository: `python paragraphs.py WORK`."""

import json
import random
import re
import sys
from pathlib import Path

PACKAGES = Path(__file__).resolve().parents[4] / "node_modules"
# So many are kept out of the training, and lie among the texts that a twin is looked for in.
KEPT_OUT, SHORTEST, LONGEST, READ = 1_800, 40, 900, 200_000
MARKUP = [
    (re.compile(r"```.*?```", re.S), "\n\n"),
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), ""),
    (re.compile(r"\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"<[^>]{1,200}>"), " "),
    (re.compile(r"https?://\S+"), ""),
]


def paragraphs_of(page):
    for pattern, instead in MARKUP:
        page = pattern.sub(instead, page)
    for part in re.split(r"\n\s*\n|\n(?=[-*] )", page):
        text = re.sub(r"\s+", " ", re.sub(r"^[#>*\-\s]+", "", part.strip())).replace("`", "")
        letters = sum(letter.isalpha() for letter in text)
        is_prose = letters > 0.7 * len(text.replace(" ", "")) and len(text.split()) > 6 and "|" not in text
        if SHORTEST <= len(text) <= LONGEST and is_prose:
            yield text


def main(work):
    found = {}
    for page in sorted(PACKAGES.glob("**/*.md")):
        content = page.read_text(errors="replace")[:READ]
        if sum(letter > "\u2fff" for letter in content) <= 200:
            found.update(dict.fromkeys(paragraphs_of(content)))
    texts = list(found)
    random.Random(9).shuffle(texts)
    (work / "others.json").write_text(json.dumps(texts[:KEPT_OUT]))
    (work / "plain.json").write_text(json.dumps(texts[KEPT_OUT:]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
