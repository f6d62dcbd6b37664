"""How a model holds where an item that it has not seen lies turned, in other light, under a hand, in a bag, or is small.

    python models/train/hard.py --data DIR --folds DIR [--queries 10]

Composed views (`scene.py`), cut out around the item as the device does it. Templates lie undisturbed, the queries as their row
says, both on the same tray; a row has the same pictures in the same order as every other. Everything comes from a seed.
"""

import argparse
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from dataset import Row, load_pictures, read_index
from export import run_tflite
from lamps import tint
from protocol import Draw, device_scores, draws, folds, normalise, top_k, unknown_auroc
from scene import SKINS, WHOLE_SIDE, Bag, Hand, Shot, render
from trays import TONES

SEED = 53
TEMPLATES = 5
DRAWS = 2
QUERIES = 10
INPUT_SIZE = 224
CLOSER_LOOK = 0.7
TRAYS = tuple(TONES)
SMALL_SIDE = 200
# Of the finder: how far its box may be off, in scale and in place (a share of the side).
BOX_SCALE, BOX_PLACE = 0.1, 0.06


def _laid(random: np.random.Generator, tray: str) -> Shot:
    """Nobody lays an item down the same way twice."""
    side = WHOLE_SIDE * random.uniform(0.95, 1.03)
    return Shot(
        tray, side=side, turn=random.uniform(-6, 6),
        zoom=random.uniform(1 - BOX_SCALE, 1 + BOX_SCALE), shift=tuple(random.uniform(-BOX_PLACE, BOX_PLACE, 2)),
    )  # fmt: skip


def _under_hand(shot: Shot, random: np.random.Generator) -> Shot:
    skin = tuple(float(value) for value in SKINS[random.integers(len(SKINS))])
    return replace(shot, hand=Hand(random.uniform(0, 2 * np.pi), skin))


Disturbance = Callable[[Shot, np.random.Generator], Shot]
ROWS: dict[str, Disturbance] = {
    "undisturbed": lambda shot, random: shot,
    "turned": lambda shot, random: replace(shot, turn=random.uniform(-180, 180)),
    "half the light": lambda shot, random: replace(shot, light=np.full(3, 0.5)),
    "any light": lambda shot, random: replace(shot, light=np.full(3, random.uniform(0.4, 1.6))),
    "any lamp": lambda shot, random: replace(shot, light=tint(random.uniform(2700, 7500))),
    "a hand over a quarter": _under_hand,
    "in a bag": lambda shot, random: replace(shot, bag=Bag()),
    "small, enlarged": lambda shot, random: replace(shot, side=SMALL_SIDE, turn=random.uniform(-6, 6)),
    "all at once": lambda shot, random: replace(
        _under_hand(shot, random), side=WHOLE_SIDE / 2, turn=random.uniform(-180, 180), bag=Bag(),
        light=random.uniform(0.4, 1.6) * tint(random.uniform(2700, 7500)),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What of a fold is looked at: rows of the index."""

    draws: list[Draw]
    templates: np.ndarray
    queries: np.ndarray
    truth: np.ndarray


@dataclass(frozen=True)
class Seen:
    """Outputs of a model for both looks: `templates` (looks, trays, pictures, numbers), `queries` by row (looks, pictures, numbers)."""

    plan: Plan
    templates: np.ndarray
    queries: dict[str, np.ndarray]


def plan_of(index: list[Row], judged: list[str], count: int) -> Plan:
    """The first draws of the protocol, and `count` queries of each item."""
    chosen = list(islice(draws(index, judged, TEMPLATES), DRAWS))
    random = np.random.default_rng(SEED)
    own = [chosen[0].queries[chosen[0].truth == item] for item in range(len(judged))]
    queries = [random.choice(rows, min(count, len(rows)), replace=False) for rows in own]
    truth = np.repeat(np.arange(len(judged)), [len(rows) for rows in queries])
    templates = np.unique(np.concatenate([rows for draw in chosen for rows in draw.templates]))
    return Plan(chosen, templates, np.concatenate(queries), truth)


def look_at(pictures: np.ndarray, plan: Plan, run: Callable[[np.ndarray], np.ndarray], say=print) -> Seen:
    """All views of a plan through a model; `run` takes uint8 pictures, as the file does."""
    templates = [_both(pictures, plan.templates, [tray] * len(plan.templates), "undisturbed", run) for tray in TRAYS]
    trays = [TRAYS[at % len(TRAYS)] for at in range(len(plan.queries))]
    queries = {}
    for row in ROWS:
        queries[row] = _both(pictures, plan.queries, trays, row, run)
        say(f"seen: {row}")
    return Seen(plan, np.stack(templates, axis=1), queries)


def _both(pictures, rows: np.ndarray, trays: list[str], name: str, run) -> np.ndarray:
    """Outputs for the whole view and for the closer look, shape (2, pictures, numbers)."""
    whole = round(INPUT_SIZE / CLOSER_LOOK)
    start = (whole - INPUT_SIZE) // 2

    def draw(at: int) -> np.ndarray:
        random = np.random.default_rng((SEED, list(ROWS).index(name), TRAYS.index(trays[at]), rows[at]))
        shot = ROWS[name](_laid(random, trays[at]), random)
        return render(pictures[rows[at]], shot, whole, random)

    with ThreadPoolExecutor(2) as pool:
        views = list(pool.map(draw, range(len(rows))))
    far = run(np.stack([cv2.resize(view, (INPUT_SIZE, INPUT_SIZE), interpolation=cv2.INTER_AREA) for view in views]))
    near = run(np.stack([view[start : start + INPUT_SIZE, start : start + INPUT_SIZE] for view in views]))
    return np.stack([far, near])


def figures(seen: Seen, fast: bool) -> dict[str, tuple[float, float, float]]:
    """Top-1, top-3 (per cent) and AUROC by row; templates are looked at twice, queries too unless `fast`."""
    plan = seen.plan
    place = {row: at for at, row in enumerate(plan.templates)}
    templates = normalise(normalise(seen.templates).mean(0))
    result = {}
    for row, outputs in seen.queries.items():
        vectors = normalise(outputs[0]) if fast else normalise(outputs).mean(0)
        tables = []
        for number, draw in enumerate(plan.draws):
            scores = np.empty((len(plan.truth), len(draw.templates)))
            for tray in range(len(TRAYS)):
                own = np.arange(tray, len(plan.truth), len(TRAYS))
                enrolled = [np.array([place[at] for at in rows]) for rows in draw.templates]
                together = np.concatenate([templates[tray], vectors[own]])
                asked = Draw(enrolled, len(templates[tray]) + np.arange(len(own)), plan.truth[own])
                scores[own] = device_scores(together, asked)
            random = np.random.default_rng(number)
            area = np.mean([unknown_auroc(scores, plan.truth, random) for _ in range(10)])
            tables.append((top_k(scores, plan.truth, 1), top_k(scores, plan.truth, 3), area))
        result[row] = tuple(np.mean(tables, axis=0))
    return result


def table(by_fold: list[dict[str, tuple[float, float, float]]]) -> str:
    """The mean over folds, a line for each row; beside it each fold's own top-1."""
    lines = ["| row | top-1 % | of undisturbed | top-3 % | AUROC | top-1 % by fold |", "|---|---|---|---|---|---|"]
    whole = np.mean([fold["undisturbed"][0] for fold in by_fold])
    for row in by_fold[0]:
        first, third, area = np.mean([fold[row] for fold in by_fold], axis=0)
        each = ", ".join(f"{fold[row][0]:.1f}" for fold in by_fold)
        lines.append(f"| {row} | {first:.1f} | {first / whole:.2f} | {third:.1f} | {area:.3f} | {each} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with index.csv and the pictures")
    parser.add_argument("--folds", type=Path, required=True, help="folder with the models of the folds")
    parser.add_argument("--queries", type=int, default=QUERIES, help="of each item")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    index = read_index(arguments.data)
    pictures = load_pictures(arguments.data, index)
    seen = []
    for number, judged in enumerate(folds(sorted({row.item for row in index}))):
        data = (arguments.folds / f"lane-embed-1-fold-{number + 1}.tflite").read_bytes()
        seen.append(look_at(pictures, plan_of(index, judged, arguments.queries), lambda views: run_tflite(data, views)))
    for speed in ("normal", "fast"):
        print(f"\n{speed}\n\n{table([figures(one, speed == 'fast') for one in seen])}")


if __name__ == "__main__":
    main()
