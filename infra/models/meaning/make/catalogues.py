"""Reads catalogues with a file for each language: JSON, scripts and pages."""

import json
import re
from collections import Counter

TEXT = r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\''
NAMED = re.compile(rf'(?:"([^"\n]{{1,120}})"|\'([^\'\n]{{1,120}})\'|([A-Za-z_]\w*))\s*:\s*(?:{TEXT})')
PARAGRAPH = re.compile(r"<(?:p|li|dd|h3)\b[^>]*>(.*?)(?=</(?:p|li|dd|h3)>)", re.S)
CATALOGUE = re.compile(r"locale|i18n|lang|transl|strings")
NO_CATALOGUE = re.compile(r"locale-data|monaco|intl-|\.d\.ts|\.map$")
# A language code as a folder or file name, sometimes with a build's hash.
PLACE = re.compile(
    r"^([A-Za-z]{2}(?:[-_][A-Za-z]{2,4})?)(?:-[0-9a-f]{32}|-[A-Z0-9]{8})?((?:\.json)?(?:\.(?:json|js|mjs))?)$"
)


def named_texts(script):
    """The texts of a script by name and by the number of earlier uses of that name."""
    seen, texts = Counter(), {}
    for found in NAMED.finditer(script):
        name = found[1] or found[2] or found[3]
        texts[name, seen[name]] = found[4] if found[4] is not None else found[5]
        seen[name] += 1
    return texts


def flattened(value, path=""):
    if isinstance(value, str):
        yield path, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from flattened(part, f"{path}/{name}")


def texts_of(name, content):
    if name.endswith(".html"):
        return dict(enumerate(PARAGRAPH.findall(content)))
    try:
        return dict(flattened(json.loads(content)))
    except ValueError:
        return named_texts(content)


def language_in(path, language_of):
    """The catalogue to which a file belongs, and the file's language code."""
    low = path.lower()
    if not low.endswith((".json", ".js", ".mjs", ".html")) or not CATALOGUE.search(low) or NO_CATALOGUE.search(low):
        return None
    parts = path.split("/")
    for place in reversed(range(len(parts))):
        found, is_file = PLACE.match(parts[place]), place == len(parts) - 1
        if not found or language_of(found[1]) is None:
            continue
        if not is_file and not CATALOGUE.search("/".join(parts[:place]).lower()):
            continue
        if not is_file or found[2]:
            return "/".join([*parts[:place], "*" + found[2], *parts[place + 1 :]]), found[1]
    return None


def of_catalogue(name, by_language):
    """Only pages with as many paragraphs as the English page are used."""
    english = texts_of(name, by_language.get("en", ""))
    for language, content in by_language.items():
        texts = texts_of(name, content) if language != "en" else {}
        if name.endswith(".html") and len(texts) != len(english):
            continue
        for key, text in texts.items():
            if key in english:
                yield english[key], language, text


def of_records(value):
    """Texts stored side by side, each under its language code."""
    if isinstance(value, dict) and isinstance(value.get("en"), str) and isinstance(value.get("de"), str):
        yield from ((value["en"], language, text) for language, text in value.items() if isinstance(text, str))
    else:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        for part in inside:
            yield from of_records(part)


def of_words(script):
    for found in re.finditer(r"\{[^{}]*\}", script):
        yield from of_records({name: text for (name, _), text in named_texts(found[0]).items()})
