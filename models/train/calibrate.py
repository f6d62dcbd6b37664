"""Temperature and thresholds for the manifest, from items that the nets behind the vectors have not seen."""

import numpy as np

from protocol import device_scores, draws

TEMPLATES = 5
# Of the queries of enrolled items: at most this share may be called unknown.
MISSED = 0.05
# Of the answers called certain: at most this share may be wrong.
WRONG = 0.01
# Of the queries of items that nobody has shown: at most this share may be answered as certain.
FOOLED = 0.05
TEMPERATURES = np.geomspace(0.02, 0.3, 40)
CERTAINS = np.arange(0.2, 0.9, 0.01)
MARGINS = np.arange(0.0, 0.4, 0.01)


def calibrate(index, judged_folds, vectors_of_fold) -> dict:
    """`temperature`, `thresholds`, and `effect`: what they make of known and unknown items (shares)."""
    everyone, known, unknown = [], [], []
    for number, judged in enumerate(judged_folds):
        for repeat, draw in enumerate(draws(index, judged, TEMPLATES)):
            scores = device_scores(vectors_of_fold[number], draw)
            everyone.append((scores, draw.truth))
            enrolled = np.zeros(len(judged), bool)
            enrolled[np.random.default_rng(repeat).permutation(len(judged))[: len(judged) // 2]] = True
            best, gap, answer = _best(scores[:, enrolled])
            right = np.flatnonzero(enrolled)[answer] == draw.truth
            own = enrolled[draw.truth]
            known.append(np.stack([best, gap, right], axis=1)[own])
            unknown.append(np.stack([best, gap], axis=1)[~own])
    known, unknown = np.concatenate(known), np.concatenate(unknown)
    floor = float(np.quantile(known[:, 0], MISSED))
    certain, margin = _certainty(known, unknown)
    sure = (known[:, 0] >= certain) & (known[:, 1] >= margin)
    fooled = (unknown[:, 0] >= certain) & (unknown[:, 1] >= margin)
    return {
        "temperature": round(_temperature(everyone), 4),
        "thresholds": {"certain": round(certain, 3), "margin": round(margin, 3), "unknown": round(floor, 3)},
        "effect": {
            "known_certain": float(sure.mean()),
            "certain_wrong": float(1 - known[sure, 2].mean()),
            "known_called_unknown": float((known[:, 0] < floor).mean()),
            "unknown_called_unknown": float((unknown[:, 0] < floor).mean()),
            "unknown_called_certain": float(fooled.mean()),
        },
    }


def _best(scores: np.ndarray):
    order = np.sort(scores, axis=1)
    return order[:, -1], order[:, -1] - order[:, -2], scores.argmax(1)


def _certainty(known: np.ndarray, unknown: np.ndarray) -> tuple[float, float]:
    """The pair that calls most known queries certain within the bounds; the strictest pair where none keeps them."""
    chosen, share = (float(CERTAINS[-1]), float(MARGINS[-1])), 0.0
    for certain in CERTAINS:
        for margin in MARGINS:
            sure = (known[:, 0] >= certain) & (known[:, 1] >= margin)
            fooled = ((unknown[:, 0] >= certain) & (unknown[:, 1] >= margin)).mean()
            if sure.mean() > share and fooled <= FOOLED and 1 - known[sure, 2].mean() <= WRONG:
                chosen, share = (float(certain), float(margin)), float(sure.mean())
    return chosen


def _temperature(everyone) -> float:
    """The one under which the softmax over cosines is most truthful (least negative log-likelihood)."""

    def loss(temperature: float) -> float:
        parts = []
        for scores, truth in everyone:
            logits = scores / temperature
            logits -= logits.max(axis=1, keepdims=True)
            logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
            parts.append(-logs[np.arange(len(truth)), truth])
        return float(np.concatenate(parts).mean())

    return float(min(TEMPERATURES, key=loss))
