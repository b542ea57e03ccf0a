"""Reads `.po` and `.mo`: pairs of a text and its translation."""

import gettext
import io
import re

FIELD = re.compile(r'(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?)\s+(".*)')


def unquoted(line):
    inside = line.strip()[1:-1]
    return inside.replace("\\n", "\n").replace('\\"', '"').replace("\\t", "\t").replace("\\\\", "\\")


def from_entry(entry):
    """The English text is in the comment `Default:` when the text's name is a key."""
    if entry.get("fuzzy"):
        return
    english = entry.get("default") or entry.get("msgid")
    if english and entry.get("msgstr0"):
        yield english, entry["msgstr0"]
    if entry.get("msgid_plural") and entry.get("msgstr1"):
        yield entry["msgid_plural"], entry["msgstr1"]


def of_po(content):
    entry, field = {}, None
    for line in [*map(str.strip, content.decode("utf-8", "replace").split("\n")), ""]:
        if not line:
            yield from from_entry(entry)
            entry, field = {}, None
        elif line.startswith('#. Default: "'):
            entry["default"] = unquoted(line[len("#. Default: ") :])
        elif line.startswith('#. "') and "default" in entry:
            entry["default"] += unquoted(line[len("#. ") :])
        elif line.startswith("#,"):
            entry["fuzzy"] = "fuzzy" in line
        elif said := FIELD.match(line):
            field = f"msgstr{said[2] or 0}" if said[1].startswith("msgstr") else said[1]
            entry[field] = unquoted(said[3])
        elif line.startswith('"') and field:
            entry[field] += unquoted(line)


def of_mo(content):
    for name, text in gettext.GNUTranslations(io.BytesIO(content))._catalog.items():
        english = name[0] if isinstance(name, tuple) else name
        yield english.split("\x04")[-1], text
