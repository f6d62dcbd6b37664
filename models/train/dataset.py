"""The pictures and their index."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image


@dataclass(frozen=True)
class Row:
    """One line of index.csv. Items that are easily taken for one another share a group."""

    path: str
    item: str
    group: str
    split: str


def read_index(folder: Path) -> list[Row]:
    with open(folder / "index.csv", newline="") as lines:
        return [Row(line["path"], line["item"], line["group"], line["split"]) for line in csv.DictReader(lines)]


def load_pictures(folder: Path, index: list[Row], size: int | None = None, share: float = 1) -> np.ndarray:
    """All pictures as uint8, shape (pictures, side, side, 3); `size` None keeps the 256 pixels of the files.

    `share` of their sides is shown, around the middle, as in a closer look of the device.
    """
    return np.stack([_load(folder / row.path, size, share) for row in index])


def _load(path: Path, size: int | None, share: float) -> np.ndarray:
    with Image.open(path) as picture:
        picture = picture.convert("RGB")
        if size is not None:
            part = round(picture.width * share)
            start = round((picture.width - part) / 2)
            box = (start, start, start + part, start + part)
            picture = picture.resize((size, size), Image.Resampling.LANCZOS, box)
        return np.asarray(picture)
