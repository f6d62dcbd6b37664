"""All of it: bank of variants, two stages of training per fold, judgement, training on every item, export with a manifest.

    python models/train/run.py --data DIR --models DIR --work DIR --out DIR

What is finished is found in the work folder and not done again; a training goes on from its last checkpoint.
"""

import argparse
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from tensorflow import keras

from augment import build_bank, strange
from backbone import V1, V2, Family, load_public_weights
from baseline import judge_baselines
from calibrate import calibrate
from colours import BLOCK, COUNT, learn_colours
from dataset import Row, load_pictures, read_index
from export import add_colours, append_layer, join, quantise, run_tflite, write_model
from laid import DrawnBank, covered, lay_down
from protocol import FOLD_SEED, TEMPLATE_COUNTS, device_scores, folds, judge, normalise
from train import Config, Trainer, level_widths, load_trained
from whiten import deviations, principal_whitening

NAME = "lane-embed-1"
VERSION = "1.4.0"
CREATED = "2026-11-27"
# The nets of the file, side by side.
FAMILIES = (V2, V1)
LICENCE = "MIT (training data); Apache-2.0 (initial weights, see models/NOTICE)"
VARIANTS = 16
TRAINED_ON = f"51 items of the grocery data set, 3,569 pictures, in {VARIANTS} variants each, and laid on drawn trays"
BANK_SEED = 31
# The device puts in the larger picture; both nets see the middle of it, as large as 20 ms allow. Training sees a little more.
INPUT_SIZE = 224
NET_SIZE = 160
DIMENSION = 256
# The device looks twice: at the whole area and at this share of its sides. A vector is the mean of both.
CLOSER_LOOK = 0.7
# The last layer is learned through the quantised net; so many parts of each picture tell what else there is to see.
STRANGE_PARTS = 4
STRANGE_SEED = 41
SHRINK = 0.15
# What light, lamp, tray, size and turn do to a picture, and what a hand does, beside the scatter within items.
LAID_WEIGHT, HAND_WEIGHT = 0.2, 0.3
LAID_VARIANTS = 2
LAID_SEED, HAND_SEED = 71, 91
# After the training on the bank: a short one in which half of the pictures lie on a tray.
LAID_CONFIG = Config(steps=140, warmup=20, backbone_rate=3e-5, seed=12)
DRAWN_SEED = 37
CALIBRATION_PICTURES = 300


@dataclass(frozen=True)
class Inputs:
    """What every training shares."""

    config: Config
    index: list[Row]
    bank: np.ndarray
    drawn: DrawnBank
    pictures: np.ndarray
    """As the files hold them."""
    looks: list[np.ndarray]
    """All pictures as the file takes them, once for each look of the device."""
    public: Path
    """The folder with the public files."""


def train_model(inputs: Inputs, wanted: Callable[[Row], bool], folder: Path) -> bytes:
    """A model of the items of these pictures; answers the file."""
    return join([train_net(inputs, family, wanted, folder / family.name) for family in FAMILIES])


def train_net(inputs: Inputs, family: Family, wanted: Callable[[Row], bool], folder: Path) -> bytes:
    """One of its nets with its last layer, a file of its own."""
    result = folder / "model.tflite"
    if result.exists():
        return result.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    rows = np.array([at for at, row in enumerate(inputs.index) if wanted(row)])
    items = sorted({inputs.index[at].item for at in rows})
    labels = np.array([items.index(inputs.index[at].item) for at in rows])
    names = sorted({row.group for row in inputs.index})
    groups = np.array([names.index(inputs.index[at].group) for at in rows])
    first, second = folder / "net.weights.h5", folder / "laid" / "net.weights.h5"
    config, laid = (replace(each, family=family) for each in (inputs.config, LAID_CONFIG))
    public = str(inputs.public / family.public)
    _train(config, lambda net: load_public_weights(net, public), inputs.bank, (rows, labels, groups), first)
    _train(laid, lambda net: net.load_weights(first), inputs.drawn, (rows, labels, groups), second)
    data = export(inputs, load_trained(family, NET_SIZE, second), rows, labels)
    unfinished = result.with_suffix(".part")
    unfinished.write_bytes(data)
    unfinished.rename(result)
    return data


def _train(config: Config, start: Callable[[keras.Model], object], bank, what: tuple, weights: Path) -> None:
    """`what` is rows, labels and groups of a `Trainer`; the weights are found in the file, and are not learned twice."""
    if weights.exists():
        return
    weights.parent.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(config, start, bank, *what)
    trainer.run(weights.parent)
    trainer.net.save_weights(weights)


def export(inputs: Inputs, net: keras.Model, rows: np.ndarray, labels: np.ndarray) -> bytes:
    """The file: the net in int8, colours, and the last layer, learned through what the file itself makes of pictures."""
    random = np.random.default_rng(STRANGE_SEED)
    parts = np.stack(
        [_surround(strange(picture, NET_SIZE, random)) for _ in range(STRANGE_PARTS) for picture in inputs.pictures[rows]]
    )
    whole = inputs.looks[0][rows]
    chosen = np.random.default_rng(inputs.config.seed).choice(len(rows), CALIBRATION_PICTURES, replace=False)
    changed = np.stack([_surround(inputs.drawn[at, row]) for at, row in enumerate(rows[chosen])])
    data = quantise(net, INPUT_SIZE, np.concatenate([whole[chosen], changed]))
    margin = (INPUT_SIZE - NET_SIZE) // 2
    data = add_colours(data, *learn_colours(whole[:, margin:-margin, margin:-margin]), BLOCK)
    pictures = np.mean([_features(data, look[rows]) for look in inputs.looks], axis=0)
    disturbances = _disturbances(data, inputs.pictures, rows)
    kernel, bias = principal_whitening(pictures, labels, _features(data, parts), disturbances, SHRINK, DIMENSION)
    return append_layer(data, kernel, bias, [*level_widths(net), COUNT])


def _disturbances(data: bytes, pictures: np.ndarray, rows: np.ndarray) -> list[tuple[float, np.ndarray]]:
    """What the features differ by when nothing changed but how the item lies and is lit, and when a hand covers it."""
    field = NET_SIZE / INPUT_SIZE
    laid = [
        _features(data, np.stack([_surround(_laid(pictures[row], field, variant, row)) for row in rows]))
        for variant in range(LAID_VARIANTS)
    ]
    pairs = [covered(pictures[row], NET_SIZE, field, (HAND_SEED, row)) for row in rows]
    bare, under = (_features(data, np.stack([_surround(picture) for picture in side])) for side in zip(*pairs))
    return [(LAID_WEIGHT, deviations(np.stack(laid))), (HAND_WEIGHT, (under - bare) / np.sqrt(2))]


def _laid(picture: np.ndarray, field: float, variant: int, row: int) -> np.ndarray:
    return lay_down(picture, NET_SIZE, field, np.random.default_rng((LAID_SEED, variant, row)))


def _features(data: bytes, pictures: np.ndarray) -> np.ndarray:
    """What the last layer is given."""
    return np.sqrt(run_tflite(data, pictures))


def _surround(picture: np.ndarray) -> np.ndarray:
    """What the net sees, with something around it, as the file wants it."""
    margin = (INPUT_SIZE - picture.shape[0]) // 2
    return cv2.copyMakeBorder(picture, margin, margin, margin, margin, cv2.BORDER_REPLICATE)


def manifest(trained_on: str, calibration: dict) -> dict:
    return {
        "version": VERSION,
        "input": {
            "width": INPUT_SIZE,
            "height": INPUT_SIZE,
            "channels": 3,
            "dtype": "uint8",
            "resize": "cover",
            "closerLooks": [CLOSER_LOOK],
        },
        "output": {"dtype": "float32", "dimension": DIMENSION * len(FAMILIES)},
        "normalise": True,
        **_judging(calibration["normal"]),
        "fast": _judging(calibration["fast"]),
        "licence": LICENCE,
        "trainedOn": trained_on,
        "createdAt": CREATED,
    }


def _judging(calibration: dict) -> dict:
    return {"temperature": calibration["temperature"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with index.csv and the pictures")
    parser.add_argument("--models", type=Path, required=True, help="folder with the two public models")
    parser.add_argument("--work", type=Path, required=True, help="bank, checkpoints, logs (5 GB)")
    parser.add_argument("--out", type=Path, required=True, help="where the model and its manifest go")
    parser.add_argument("--ceiling", action="store_true", help="judge also a net that knows the judged items' templates")
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    tf.config.threading.set_intra_op_parallelism_threads(arguments.threads)
    arguments.work.mkdir(parents=True, exist_ok=True)

    config = Config()
    index = read_index(arguments.data)
    items = sorted({row.item for row in index})
    judged = folds(items)
    pictures = load_pictures(arguments.data, index)
    bank = build_bank(pictures, config.size, VARIANTS, BANK_SEED, arguments.work / f"bank{config.size}.npy")
    looks = [load_pictures(arguments.data, index, INPUT_SIZE, share) for share in (1, CLOSER_LOOK)]
    drawn = DrawnBank(pictures, LAID_CONFIG.size, DRAWN_SEED)
    inputs = Inputs(config, index, bank, drawn, pictures, looks, arguments.models)

    report = judge_baselines(arguments.models / V1.public, arguments.data, index, judged)
    normal, fast, trainings = [], [], []
    queries = np.array([row.split == "test" for row in index])
    for number, others in enumerate(reversed(judged)):
        trainings.append(train_model(inputs, lambda row: row.item in others, arguments.work / f"fold-{number + 1}"))
        seen = [normalise(run_tflite(trainings[-1], look)) for look in looks]
        normal.append(np.mean(seen, axis=0))
        fast.append(np.where(queries[:, None], seen[0], normal[-1]))
    calibration = {}
    for speed, vectors in (("normal", normal), ("fast", fast)):
        report[speed] = {str(count): judge(index, judged, vectors, count, device_scores) for count in TEMPLATE_COUNTS}
        calibration[speed] = calibrate(index, judged, vectors)
    report["calibration"] = calibration
    if arguments.ceiling:
        data = train_model(inputs, lambda row: row.split != "test", arguments.work / "ceiling")
        vectors = np.mean([normalise(run_tflite(data, look)) for look in looks], axis=0)
        both = [vectors, vectors]
        report["ceiling"] = {str(count): judge(index, judged, both, count, device_scores) for count in TEMPLATE_COUNTS}
    (arguments.work / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))

    for number, data in enumerate(trainings):
        words = f"fold {2 - number} of the grocery data set (seed {FOLD_SEED}), to be judged on fold {number + 1}"
        write_model(arguments.out / "folds", f"{NAME}-fold-{number + 1}", data, manifest(words, calibration))
    data = train_model(inputs, lambda _: True, arguments.work / "final")
    write_model(arguments.out, NAME, data, manifest(TRAINED_ON, calibration))
    for family in FAMILIES:
        logs = arguments.work / "final" / family.name
        shutil.copy(logs / "log.csv", Path(__file__).parent / f"log-{family.name}.csv")
        shutil.copy(logs / "laid" / "log.csv", Path(__file__).parent / f"log-{family.name}-laid.csv")


if __name__ == "__main__":
    main()
