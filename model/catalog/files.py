"""The files of the catalogue, read as every other YAML of this project."""

from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from model.catalog.entry import Entry
from model.places import of_document
from model.problems import Finding, Problems, findings
from model.source import Document, documents, read_text


class Files:
    """The entries of a folder, one a file, and a sentence for each mistake found so far."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.sentences: list[str] = []
        self._documents: dict[str, Document] = {}

    def read(self, file: Path, name: str) -> None:
        try:
            found = documents(read_text(file, name), name)
        except Problems as problems:
            self.sentences += problems.sentences
            return
        if len(found) != 1 or not isinstance(found[0].value, dict):
            self.sentences.append(f"{name} is no entry: write keys and values, as in the folder's other files.")
            return
        self._documents[file.stem] = found[0]
        self._entry(file.stem, cast("dict[str, Any]", found[0].value))

    def _entry(self, name: str, given: dict[str, Any]) -> None:
        if "name" in given:
            says = "is the file's name: remove the line, and rename the file to rename the system"
            self.say(name, Finding(("name",), says))
        try:
            self.entries.append(Entry.model_validate({**given, "name": name}))
        except ValidationError as error:
            for finding in findings(error, (), Entry):
                self.say(name, finding)

    def say(self, name: str, finding: Finding) -> None:
        """What is wrong in the entry of a name, with its file and line."""
        self.sentences.append(of_document(self._documents[name], finding))


def read(folder: Path) -> Files:
    """All entries of a folder. Every file in it must be one, since a misnamed file would silently be none."""
    files = Files()
    there = sorted(folder.iterdir()) if folder.is_dir() else []
    if not any(file.suffix == ".yaml" for file in there):
        files.sentences.append(f"{folder.name} has no file that ends in .yaml: it must be the catalogue's folder.")
    for file in there:
        name = f"{folder.name}/{file.name}"
        if file.suffix == ".yaml":
            files.read(file, name)
        else:
            files.sentences.append(f"{name} is not read, as only .yaml is: rename it to {file.stem}.yaml, or move it.")
    return files
