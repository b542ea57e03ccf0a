"""Collects pairs of an English sentence and a translation from packages: `python collect.py WORK`."""

import json
import re
import sys
import tarfile
import zipfile
from collections import defaultdict
from pathlib import Path

from catalogues import language_in, named_texts, of_catalogue, of_records, of_words
from download import fetched, read_packages
from gettext_files import of_mo, of_po
from sentences import clean, is_translation, language_of

GETTEXT = re.compile(r"/([A-Za-z]{2,3}(?:[_-][A-Za-z]{2,4})?(?:@\w+)?)/(?:LC_MESSAGES/)?[^/]*\.(?:po|mo)$")
TINYMCE = re.compile(r"langs8?/([A-Za-z_-]+)\.js$")


def members(package):
    if package.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(package) as archive:
            yield from ((name, lambda name=name: archive.read(name)) for name in archive.namelist())
    else:
        with tarfile.open(package) as archive:
            yield from ((one.name, lambda one=one: archive.extractfile(one).read()) for one in archive if one.isfile())


def of_gettext(name, read, sources):
    """A compiled catalogue is read only when the package lacks its source."""
    found = GETTEXT.search(name)
    code = found[1] if found and language_of(found[1]) else Path(name).stem
    if language_of(code) in (None, "en") or (name.endswith(".mo") and name[:-3] in sources):
        return
    sources.add(name[:-3])
    yield from ((english, code, text) for english, text in (of_po if name.endswith(".po") else of_mo)(read()))


def of_package(package):
    """The catalogues, each with True when its texts mark menu keys."""
    sources, catalogues = set(), defaultdict(dict)
    for name, read in members(package):
        try:
            if name.endswith((".po", ".mo")):
                yield from ((*pair, True) for pair in of_gettext(name, read, sources))
            elif name.endswith("io-package.json"):
                yield from ((*pair, False) for pair in of_records(json.loads(read().decode("utf-8-sig"))))
            elif name.endswith("words.js"):
                yield from ((*pair, False) for pair in of_words(read().decode("utf8", "replace")))
            elif package.name.startswith("tinymce"):
                if found := TINYMCE.search(name):
                    texts = named_texts(read().decode("utf8", "replace"))
                    yield from ((english, found[1], text, False) for (english, _), text in texts.items())
            elif place := language_in(name, language_of):
                catalogue, code = place
                language = language_of(code)
                if language not in catalogues[catalogue] or len(code) == 2:
                    catalogues[catalogue][language] = read().decode("utf-8-sig", "replace")
        except (ValueError, OSError) as problem:
            print(f"{package.name}: {name} is left out: {problem}", file=sys.stderr)
    for name, by_language in catalogues.items():
        yield from ((*pair, False) for pair in of_catalogue(name, by_language))


def sentences_of(package):
    """Sentences with language and translation, in an order that does not depend on the archives."""
    found = set()
    for english, code, text, has_accelerators in of_package(package):
        language = language_of(code)
        pair = clean(english, has_accelerators), clean(text, has_accelerators)
        if language and language != "en" and is_translation(pair[0], language, pair[1]):
            found.add((pair[0], language, pair[1]))
    return sorted(found)


def pairs_of(packages, left_out):
    """At most two translations of an English sentence in each language."""
    found = defaultdict(dict)
    for package in sorted(packages, key=lambda file: file.name):
        for english, language, text in sentences_of(package):
            if english not in left_out and len(found[english, language]) < 2:
                found[english, language][text] = None
    return found


def main(work):
    """Excludes English sentences of the packages that the judge uses."""
    packages = defaultdict(list)
    for registry, name, version, _, *judged in read_packages():
        packages["judged" if judged else "pairs"].append(fetched(work, registry, name, version))
    english = set()
    for kind in ("judged", "pairs"):
        found = pairs_of(packages[kind], english)
        english.update(sentence for sentence, _ in found)
        with open(work / f"{kind}.jsonl", "w") as file:
            for (sentence, language), texts in found.items():
                for text in texts:
                    file.write(json.dumps([sentence, language, text], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
