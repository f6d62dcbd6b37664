"""Temperature for the manifest, from items that the nets behind the vectors have not seen."""

import numpy as np

from protocol import device_scores, draws

TEMPLATES = 5
TEMPERATURES = np.geomspace(0.02, 0.3, 40)


def calibrate(index, judged_folds, vectors_of_fold) -> dict:
    """`temperature`."""
    everyone = []
    for number, judged in enumerate(judged_folds):
        for draw in draws(index, judged, TEMPLATES):
            everyone.append((device_scores(vectors_of_fold[number], draw), draw.truth))
    return {"temperature": round(_temperature(everyone), 4)}


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
