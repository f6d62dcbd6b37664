"""The off-the-shelf extractor under the same protocol: as it is, and behind a whitening learned on the other fold."""

from pathlib import Path

import numpy as np

from dataset import Row, load_pictures
from export import run_tflite
from protocol import TEMPLATE_COUNTS, judge, nearest_scores
from whiten import whitening

SIZE = 224
SHRINK = 1.0


def judge_baselines(extractor: Path, data: Path, index: list[Row], folds: list[list[str]]) -> dict:
    """Figures by template count of `nearest` (raw vectors, nearest template) and `whitened` (prototypes)."""
    pictures = load_pictures(data, index, SIZE)
    raw = run_tflite(extractor.read_bytes(), pictures).reshape(len(index), -1).astype(np.float64)
    items = np.array([row.item for row in index])
    rooted = np.sqrt(raw)
    whitened = []
    for number in range(len(folds)):
        others = np.concatenate([fold for at, fold in enumerate(folds) if at != number])
        known = np.isin(items, others)
        kernel, bias = whitening(rooted[known], items[known], SHRINK, rooted.shape[1])
        whitened.append(rooted @ kernel + bias)
    plain = [raw] * len(folds)
    return {
        "nearest": {str(count): judge(index, folds, plain, count, nearest_scores) for count in TEMPLATE_COUNTS},
        "whitened": {str(count): judge(index, folds, whitened, count) for count in TEMPLATE_COUNTS},
    }
