"""One training: from the public weights to a metric embedding of the items given."""

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tensorflow as tf
from tensorflow import keras

from backbone import V2, Family, put_on_grid
from losses import contrastive_loss, proxy_loss
from whiten import whitening

# Steps between two lines of the log, and between two checkpoints.
LOG_STEPS = 20


@dataclass(frozen=True)
class Config:
    family: Family = V2
    size: int = 168
    dimension: int = 192
    steps: int = 400
    items_per_batch: int = 12
    pictures_per_item: int = 4
    backbone_rate: float = 4e-5
    head_rate: float = 3e-4
    warmup: int = 50
    average: float = 0.99
    proxy_scale: float = 16.0
    margin: float = 0.1
    contrast: float = 0.5
    temperature: float = 0.1
    hardness: float = 1.0
    head_shrink: float = 0.5
    seed: int = 11


def features_model(family: Family, size: int, grid: bool = False) -> keras.Model:
    """From pixels in -1..1 to the means of the family's levels, side by side."""
    backbone = family.build(size, grid)
    pooled = [keras.layers.GlobalAveragePooling2D(name=f"mean_{level}")(backbone.output[level]) for level in family.levels]
    return keras.Model(backbone.input, keras.layers.Concatenate(name="features")(pooled), name="features")


def load_trained(family: Family, size: int, weights: Path) -> keras.Model:
    """The net of a finished training, its kernels rounded, for pictures of any size."""
    trained = features_model(family, size, grid=True)
    trained.load_weights(weights)
    net = features_model(family, size)
    net.set_weights(trained.get_weights())
    put_on_grid(net)
    return net


def level_widths(net: keras.Model) -> list[int]:
    """How many features each level gives."""
    return [int(part.shape[-1]) for part in net.get_layer("features").input]


def to_pixels(pictures: np.ndarray) -> np.ndarray:
    return (pictures.astype(np.float32) - 127.5) / 127.5


def compute_features(model: keras.Model, pictures, batch: int = 32) -> np.ndarray:
    forward = tf.function(lambda x: model(x, training=False))
    starts = range(0, len(pictures), batch)
    return np.concatenate([forward(tf.constant(to_pixels(pictures[at : at + batch]))).numpy() for at in starts])


class Trainer:
    """Holds the net, its head, the proxies, their optimisers and the running average of the weights."""

    def __init__(
        self, config: Config, start: Callable[[keras.Model], object], bank,
        rows: np.ndarray, labels: np.ndarray, groups: np.ndarray,
    ) -> None:
        """`start` puts weights into the net. `rows` of the bank are trained on; `labels` and `groups` number their items
        and look-alikes."""
        self.config, self.bank, self.rows, self.labels, self.groups = config, bank, rows, labels, groups
        keras.utils.set_random_seed(config.seed)
        self.net = features_model(config.family, config.size, grid=True)
        start(self.net)
        self._start_head(compute_features(self.net, np.stack([bank[0, row] for row in rows])))
        self.body = self.net.trainable_variables
        self.head = [self.kernel, self.bias, self.proxies]
        self.averaged = [tf.Variable(variable, trainable=False) for variable in self.body + self.head]
        self.optimisers = (keras.optimizers.Adam(config.backbone_rate), keras.optimizers.Adam(config.head_rate))
        self.done = tf.Variable(0, dtype=tf.int64)
        self.step = tf.function(self._step)

    def _start_head(self, features: np.ndarray) -> None:
        """The head begins as the whitening of the public net's features, the proxies as the means of their items."""
        config, labels = self.config, self.labels
        self.mean, self.spread = features.mean(0), features.std(0) + 1e-3
        standard = (features - self.mean) / self.spread
        kernel, bias = whitening(standard, labels, config.head_shrink, config.dimension)
        vectors = standard @ kernel + bias
        scale = 1 / np.linalg.norm(vectors, axis=1).mean()
        self.kernel = tf.Variable((kernel * scale).astype(np.float32))
        self.bias = tf.Variable((bias * scale).astype(np.float32))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        means = np.stack([vectors[labels == item].mean(0) for item in range(labels.max() + 1)])
        self.proxies = tf.Variable((means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32))

    def embed(self, pixels):
        features = (self.net(pixels, training=True) - self.mean) / self.spread
        return tf.math.l2_normalize(features @ self.kernel + self.bias, axis=1)

    def _step(self, pixels, labels, groups):
        config = self.config
        with tf.GradientTape() as tape:
            vectors = self.embed(pixels)
            proxy = proxy_loss(vectors, labels, self.proxies, config.proxy_scale, config.margin)
            contrast = contrastive_loss(vectors, labels, groups, config.temperature, config.hardness)
            total = proxy + config.contrast * contrast
        gradients = tape.gradient(total, self.body + self.head)
        gradients, norm = tf.clip_by_global_norm(gradients, 5.0)
        self.optimisers[0].apply_gradients(zip(gradients[: len(self.body)], self.body))
        self.optimisers[1].apply_gradients(zip(gradients[len(self.body) :], self.head))
        return total, proxy, contrast, norm

    def draw_batch(self):
        """Some items, half of them with a look-alike of theirs, some pictures of each in any variant."""
        config = self.config
        random = np.random.default_rng((config.seed, int(self.done)))
        count = self.labels.max() + 1
        group_of = np.array([self.groups[self.labels == item][0] for item in range(count)])
        chosen: list[int] = []
        for item in random.permutation(count):
            if len(chosen) >= config.items_per_batch:
                break
            if item in chosen:
                continue
            chosen.append(int(item))
            alike = [int(x) for x in np.flatnonzero(group_of == group_of[item]) if x not in chosen]
            if alike and len(chosen) < config.items_per_batch:
                chosen.append(int(random.choice(alike)))
        own = [np.flatnonzero(self.labels == item) for item in chosen]
        at = np.concatenate([random.choice(places, config.pictures_per_item) for places in own])
        variants = random.integers(0, len(self.bank), len(at))
        pictures = np.stack([self.bank[variant, self.rows[x]] for variant, x in zip(variants, at)])
        return to_pixels(pictures), self.labels[at].astype(np.int32), self.groups[at].astype(np.int32)

    def rate(self, step: int) -> float:
        config = self.config
        if step < config.warmup:
            return (step + 1) / config.warmup
        return 0.5 * (1 + math.cos(math.pi * (step - config.warmup) / max(1, config.steps - config.warmup)))

    def run(self, folder: Path) -> None:
        """Train to the last step, from the checkpoint in the folder where there is one; the curve goes to log.csv."""
        config = self.config
        for optimiser, variables in zip(self.optimisers, (self.body, self.head)):
            optimiser.build(variables)
        checkpoint = tf.train.Checkpoint(
            done=self.done, body=self.body, head=self.head, averaged=self.averaged,
            body_optimiser=self.optimisers[0].variables, head_optimiser=self.optimisers[1].variables,
        )  # fmt: skip
        manager = tf.train.CheckpointManager(checkpoint, str(folder / "checkpoint"), max_to_keep=1)
        if manager.latest_checkpoint:
            checkpoint.restore(manager.latest_checkpoint).assert_consumed()
        with open(folder / "log.csv", "a", newline="") as file:
            log = csv.writer(file)
            if int(self.done) == 0:
                log.writerow(("step", "rate", "total", "proxy", "contrast", "gradient"))
            sums: list[np.ndarray] = []
            for step in range(int(self.done), config.steps):
                rate = self.rate(step)
                self.optimisers[0].learning_rate = config.backbone_rate * rate
                self.optimisers[1].learning_rate = config.head_rate * rate
                values = self.step(*map(tf.constant, self.draw_batch()))
                sums.append(np.array([float(value) for value in values]))
                decay = min(config.average, (step + 1) / (step + 10))
                for slot, variable in zip(self.averaged, self.body + self.head):
                    slot.assign(decay * slot + (1 - decay) * variable)
                self.done.assign(step + 1)
                if (step + 1) % LOG_STEPS == 0:
                    log.writerow((step + 1, f"{rate:.4f}", *(f"{x:.4f}" for x in np.mean(sums, axis=0))))
                    file.flush()
                    sums = []
                    manager.save()
        for slot, variable in zip(self.averaged, self.body + self.head):
            variable.assign(slot)
