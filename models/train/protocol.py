"""How a model is judged: items that its training has not seen, a few templates each, look-alikes included.

The items are dealt into two folds by a fixed seed. What is judged on one fold was trained on the other. Templates are
drawn from splits train and val, queries are all pictures of split test. Five draws, mean and spread
over draws and folds.
"""

from dataclasses import dataclass

import numpy as np

FOLD_SEED = 5
DRAWS = 5
TEMPLATE_COUNTS = (1, 3, 5, 10)
NEAREST_SHARE = 0.25


def folds(items: list[str], seed: int = FOLD_SEED) -> list[list[str]]:
    """Two halves of the items, in a fixed order."""
    order = np.random.default_rng(seed).permutation(sorted(items))
    return [sorted(order[0::2].tolist()), sorted(order[1::2].tolist())]


@dataclass(frozen=True)
class Draw:
    """One draw in one judged fold: template rows by item, query rows with their item's number."""

    templates: list[np.ndarray]
    queries: np.ndarray
    truth: np.ndarray


def draws(index, judged: list[str], templates: int):
    """The five draws of a judged fold; `index` is what dataset.read_index answers."""
    items = np.array([row.item for row in index])
    splits = np.array([row.split for row in index])
    queries = np.flatnonzero(np.isin(items, judged) & (splits == "test"))
    truth = np.array([judged.index(items[row]) for row in queries])
    for number in range(DRAWS):
        random = np.random.default_rng(1000 * templates + number)
        drawn = []
        for item in judged:
            pool = np.flatnonzero((items == item) & (splits != "test"))
            drawn.append(random.choice(pool, min(templates, len(pool)), replace=False))
        yield Draw(drawn, queries, truth)


def normalise(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-9)


def prototype_scores(vectors: np.ndarray, draw: Draw) -> np.ndarray:
    """Cosine of each query to each item's prototype, the normalised mean of its normalised templates."""
    unit = normalise(vectors)
    prototypes = normalise(np.stack([unit[rows].mean(0) for rows in draw.templates]))
    return unit[draw.queries] @ prototypes.T


def device_scores(vectors: np.ndarray, draw: Draw) -> np.ndarray:
    """What the device ranks by: an item's prototype and, by NEAREST_SHARE, its nearest template (`scoring.ts`)."""
    return (1 - NEAREST_SHARE) * prototype_scores(vectors, draw) + NEAREST_SHARE * nearest_scores(vectors, draw)


def nearest_scores(vectors: np.ndarray, draw: Draw) -> np.ndarray:
    """Cosine of each query to each item's nearest template."""
    unit = normalise(vectors)
    queries = unit[draw.queries]
    return np.stack([(queries @ unit[rows].T).max(1) for rows in draw.templates], axis=1)


def top_k(scores: np.ndarray, truth: np.ndarray, k: int) -> float:
    """Share of the queries whose item is among the k best, in per cent."""
    own = scores[np.arange(len(truth)), truth][:, None]
    return 100.0 * float(np.mean((scores > own).sum(1) < k))


def unknown_auroc(scores: np.ndarray, truth: np.ndarray, random: np.random.Generator) -> float:
    """Area under the curve when half of the items, drawn at random, are not enrolled.

    A query of an enrolled item ought to have a higher best score than one of an item that nobody has shown.
    """
    count = scores.shape[1]
    enrolled = np.zeros(count, bool)
    enrolled[random.permutation(count)[: count // 2]] = True
    best = scores[:, enrolled].max(1)
    return auroc(best[enrolled[truth]], best[~enrolled[truth]])


def auroc(known: np.ndarray, unknown: np.ndarray) -> float:
    values = np.concatenate([known, unknown])
    ranks = np.empty(len(values))
    ranks[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1)
    return float((ranks[: len(known)].sum() - len(known) * (len(known) + 1) / 2) / (len(known) * len(unknown)))


def judge(index, judged_folds, vectors_of_fold, templates: int, scores_of=prototype_scores) -> dict:
    """`top1`, `top3` (per cent) and `auroc`: mean and standard deviation over draws × folds.

    `vectors_of_fold[f]` holds a vector for every picture, from the model that was trained without `judged_folds[f]`.
    """
    rows = []
    for number, judged in enumerate(judged_folds):
        for repeat, draw in enumerate(draws(index, judged, templates)):
            scores = scores_of(vectors_of_fold[number], draw)
            random = np.random.default_rng(repeat)
            area = np.mean([unknown_auroc(scores, draw.truth, random) for _ in range(10)])
            rows.append((top_k(scores, draw.truth, 1), top_k(scores, draw.truth, 3), area))
    table = np.array(rows)
    return {
        name: (float(table[:, column].mean()), float(table[:, column].std()))
        for column, name in enumerate(("top1", "top3", "auroc"))
    }
