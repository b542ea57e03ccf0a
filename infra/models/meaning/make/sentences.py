"""The language of a catalogue, and those of its texts that are sentences for people."""

import html
import re

LANGUAGES = set(
    "ar zh zh-hant en fr de it ja ko nl pl pt es th tr ru uk cs sv da nb fi hu ro el he hi id vi bg sk hr ca fa sl sr"
    " et lt lv".split()
)
OTHER_NAMES = {"no": "nb", "iw": "he", "in": "id", "cn": "zh", "tw": "zh-hant", "jp": "ja", "en-us": "en"}
OTHER_NAMES |= {"zh-cn": "zh", "zh-hans": "zh", "zh-hans-cn": "zh", "zh-tw": "zh-hant", "zh-hk": "zh-hant"}
OTHER_NAMES |= {"zh-hant-tw": "zh-hant", "de-informal": "de", "es-419": "es"}

TAG = re.compile(r"<[^<>]{1,200}>")
PLACEHOLDER = re.compile(
    r"%\([^)]*\)[-+0-9.#]*[a-zA-Z]|%[-+0-9.]*\d?\$?[sdfiu]\b|\$\{[^{}]*\}|\{\{[^{}]*\}\}|\{[^{}]*\}|\$[a-z_]+\$"
    r"|%[a-z_]+%|%\d\b"
)
FORMS = re.compile(r"\{\s*\w+\s*,\s*(plural|select)")
NO_SENTENCE = re.compile(r"https?://\S{30,}|[=;]\s*function|[A-Za-z]+_[A-Za-z]+_[A-Za-z]+")
WITHOUT_SPACES = {"ja", "zh", "zh-hant", "ko", "th"}


def language_of(code):
    """None for a language that is not trained, such as a variant."""
    name = code.lower().replace("_", "-").split(".")[0]
    name = OTHER_NAMES.get(name, name)
    if "@" in code or name in LANGUAGES:
        return None if "@" in code else name
    head = name.split("-")[0]
    known = re.fullmatch(r"[a-z]{2}-[a-z]{2,4}", name) and head in LANGUAGES and head != "en"
    return OTHER_NAMES.get(head, head) if known else None


def clean(text, has_accelerators=False):
    """The text without markup, placeholders and key marks; empty for a text with several plural forms."""
    if FORMS.search(text):
        return ""
    text = text.replace("\\n", "\n").replace("\\t", " ").replace('\\"', '"').replace("\\'", "'")
    text = PLACEHOLDER.sub(" ", TAG.sub(" ", html.unescape(text)))
    if has_accelerators:
        text = re.sub(r"(?<!\s)&(?=\w)|(?<=\s)&(?=\w)|(?<!\w)_(?=\w)|(?<=[a-z])_(?=[a-z])|\(_?\w\)\s*$", "", text)
    return re.sub(r"[\s\xa0]+", " ", text).strip(" :;,-")


def is_sentence(text):
    letters = sum(letter.isalpha() for letter in text)
    return 6 <= len(text) <= 900 and letters >= 0.55 * len(text.replace(" ", "")) and not NO_SENTENCE.search(text)


def is_translation(english, language, text):
    """Excludes translations that are empty, equal to the English text, or of another text with the same name."""
    if language == "en":
        return is_sentence(english) and is_sentence(text)
    if english == text or not is_sentence(english) or not 2 <= len(text) <= 900:
        return False
    if language not in WITHOUT_SPACES and not is_sentence(text):
        return False
    return len(text) <= 4 * len(english) + 20 and len(english) <= 6 * len(text) + 20
