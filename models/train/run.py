"""All of it: bank of variants, a training per fold, judgement, the training on every item, export with a manifest.

    python models/train/run.py --data DIR --models DIR --work DIR --out DIR

What is finished is found in the work folder and not done again; a training goes on from its last checkpoint.
"""

import argparse
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf

from augment import build_bank
from backbone import put_on_grid
from baseline import judge_baselines
from calibrate import calibrate
from dataset import load_pictures, read_index
from export import append_layer, quantise, run_tflite, write_model
from protocol import FOLD_SEED, TEMPLATE_COUNTS, folds, judge
from train import Config, Trainer, features_model, level_widths
from whiten import whitening

NAME = "lane-embed-1"
VERSION = "1.0.0"
CREATED = "2026-11-20"
PUBLIC_NET = "tf2_mobilenet_v2_1.0_224_ptq.tflite"
PUBLIC_EXTRACTOR = "mobilenet_v1_1.0_224_quant_embedding_extractor.tflite"
LICENCE = "MIT (training data); Apache-2.0 (initial weights, see models/NOTICE)"
VARIANTS = 12
BANK_SEED = 7
# Whitening is learned on the pictures as they are and on these variants of them, through the quantised net.
WHITENING_VARIANTS = (0, 1, 2)
SHRINK = 0.5
CALIBRATION_PICTURES = 300


@dataclass(frozen=True)
class Inputs:
    """What every training shares."""

    config: Config
    index: list
    bank: np.ndarray
    public: str


def train_model(inputs: Inputs, items: list[str], folder: Path) -> bytes:
    """A model of these items; answers the file."""
    result = folder / "model.tflite"
    if result.exists():
        return result.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    number = {item: at for at, item in enumerate(items)}
    rows = np.array([at for at, row in enumerate(inputs.index) if row.item in number])
    labels = np.array([number[inputs.index[at].item] for at in rows])
    names = sorted({row.group for row in inputs.index})
    groups = np.array([names.index(inputs.index[at].group) for at in rows])
    weights = folder / "net.weights.h5"
    if not weights.exists():
        trainer = Trainer(inputs.config, inputs.public, inputs.bank, rows, labels, groups)
        trainer.run(folder)
        trainer.net.save_weights(weights)
    net = features_model(inputs.config.size)
    net.load_weights(weights)
    put_on_grid(net)
    chosen = np.random.default_rng(inputs.config.seed).choice(rows, min(CALIBRATION_PICTURES, len(rows)), replace=False)
    quantised = quantise(net, np.concatenate([inputs.bank[0][chosen], inputs.bank[1][chosen]]))
    features = np.concatenate([run_tflite(quantised, inputs.bank[variant][rows]) for variant in WHITENING_VARIANTS])
    kernel, bias = last_layer(features, np.tile(labels, len(WHITENING_VARIANTS)), inputs.config.dimension)
    data = append_layer(quantised, kernel, bias, level_widths(net))
    partial = result.with_suffix(".part")
    partial.write_bytes(data)
    partial.rename(result)
    return data


def last_layer(features: np.ndarray, labels: np.ndarray, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Whitening of the standardised features as one layer on the plain ones, vectors about as long as one."""
    mean, spread = features.mean(0), features.std(0) + 1e-3
    kernel, bias = whitening((features - mean) / spread, labels, SHRINK, dimension)
    scale = 1 / np.linalg.norm((features - mean) / spread @ kernel + bias, axis=1).mean()
    kernel = kernel / spread[:, None] * scale
    return kernel, bias * scale - mean @ kernel


def manifest(config: Config, trained_on: str, calibration: dict) -> dict:
    size = config.size
    return {
        "version": VERSION,
        "input": {"width": size, "height": size, "channels": 3, "dtype": "uint8", "resize": "cover"},
        "output": {"dtype": "float32", "dimension": config.dimension},
        "normalise": True,
        "temperature": calibration["temperature"],
        "thresholds": calibration["thresholds"],
        "licence": LICENCE,
        "trainedOn": trained_on,
        "createdAt": CREATED,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with index.csv and the pictures")
    parser.add_argument("--models", type=Path, required=True, help="folder with the two public models")
    parser.add_argument("--work", type=Path, required=True, help="bank, checkpoints, logs (8 GB)")
    parser.add_argument("--out", type=Path, required=True, help="where the model and its manifest go")
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
    inputs = Inputs(config, index, bank, str(arguments.models / PUBLIC_NET))

    report = judge_baselines(arguments.models / PUBLIC_EXTRACTOR, arguments.data, index, judged)
    vectors, trainings = [], []
    for number, others in enumerate(reversed(judged)):
        folder = arguments.work / f"fold-{number + 1}"
        trainings.append(train_model(inputs, others, folder))
        vectors.append(run_tflite(trainings[-1], bank[0]))
    report["ours"] = {str(count): judge(index, judged, vectors, count) for count in TEMPLATE_COUNTS}
    calibration = calibrate(index, judged, vectors)
    report["calibration"] = calibration
    (arguments.work / "report.json").write_text(json.dumps(report, indent=2) + "\n")
    print(json.dumps(report, indent=2))

    for number, data in enumerate(trainings):
        words = f"fold {2 - number} of the grocery data set (seed {FOLD_SEED}), to be judged on fold {number + 1}"
        write_model(arguments.out / "folds", f"{NAME}-fold-{number + 1}", data, manifest(config, words, calibration))
    data = train_model(inputs, items, arguments.work / "final")
    words = "51 items of the grocery data set, 3,569 pictures, in 12 variants each"
    write_model(arguments.out, NAME, data, manifest(config, words, calibration))
    shutil.copy(arguments.work / "final" / "log.csv", Path(__file__).parent / "log.csv")


if __name__ == "__main__":
    main()
