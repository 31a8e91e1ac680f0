"""citation.py CITATION.cff - is it a file of the Citation File Format 1.2.0? (doi.org/10.5281/zenodo.5171937)

What its schema asks of the top level and of authors: the keys that must be there, no others than it knows, the form of
their values. Status 77 where there is no PyYAML."""

import re
import sys

try:
    import yaml
except ImportError:
    sys.exit(77)

MUST = {"authors", "cff-version", "message", "title"}
KNOWN = MUST | {"abstract", "commit", "contact", "date-released", "doi", "identifiers", "keywords", "license",
                "license-url", "preferred-citation", "references", "repository", "repository-artifact",
                "repository-code", "type", "url", "version"}
SHARED = {"address", "alias", "city", "country", "email", "fax", "orcid", "post-code", "region", "tel", "website"}
ENTITY = SHARED | {"date-end", "date-start", "location", "name"}
PERSON = SHARED | {"affiliation", "family-names", "given-names", "name-particle", "name-suffix"}
TEXTS = ("abstract", "cff-version", "commit", "license-url", "message", "repository", "repository-artifact",
         "repository-code", "title", "url")
LINKS = ("license-url", "repository", "repository-artifact", "repository-code", "url")


def mistakes(cff):
    """Sentences on what is wrong."""
    for key in sorted(MUST - cff.keys()):
        yield f"{key} is missing"
    for key in sorted(cff.keys() - KNOWN):
        yield f"{key} is no key of the format"
    if not re.fullmatch(r"1\.2\.0", str(cff.get("cff-version"))):
        yield f"cff-version {cff.get('cff-version')} is not 1.2.0"
    for key in TEXTS:
        if key in cff and not (isinstance(cff[key], str) and cff[key].strip()):
            yield f"{key} is no text"
    for key in LINKS:
        if key in cff and not re.match(r"(https?|s?ftp)://", str(cff[key])):
            yield f"{key} is no address"
    if cff.get("type", "software") not in ("software", "dataset"):
        yield f"type {cff['type']} is not software or dataset"
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[012])-(0[1-9]|[12]\d|3[01])", str(cff.get("date-released", "2000-01-01"))):
        yield f"date-released {cff['date-released']} is not YYYY-MM-DD"
    if not isinstance(cff.get("version", ""), (str, int, float)):
        yield "version is no text and no number"
    words = cff.get("keywords", ["none"])
    if not (isinstance(words, list) and words and all(isinstance(w, str) for w in words) and
            len(set(words)) == len(words)):
        yield "keywords are not different texts"
    yield from wrong_people(cff)


def wrong_people(cff):
    for key in ("authors", "contact"):
        people = cff.get(key, [{"name": "none"}])
        if not (isinstance(people, list) and people):
            yield f"{key} is no list"
            continue
        for one in people:
            keys = ENTITY if "name" in one else PERSON
            for unknown in sorted(one.keys() - keys):
                yield f"{key}: {unknown} is no key of {'an entity' if 'name' in one else 'a person'}"


def main(path):
    with open(path, encoding="utf-8") as file:
        found = list(mistakes(yaml.safe_load(file)))
    for sentence in found:
        print(f"{path}: {sentence}", file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
