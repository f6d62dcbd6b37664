"""Within-item whitening: the linear map in which pictures of one item scatter alike in every direction."""

import numpy as np

# Of the subspace iteration: directions beside those that are wanted, and how often it goes round.
OVERSIZE = 32
ROUNDS = 8
# Features that hardly vary must not be blown up.
SPREAD_FLOOR = 3e-3


def within_item_scatter(features: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Covariance of the features around the mean of their item; every item counts the same."""
    dimension = features.shape[1]
    scatter = np.zeros((dimension, dimension))
    items = np.unique(labels)
    for item in items:
        own = features[labels == item].astype(np.float64)
        own -= own.mean(0)
        scatter += own.T @ own / len(own)
    return scatter / len(items)


def whitening(features: np.ndarray, labels: np.ndarray, shrink: float, dimension: int) -> tuple[np.ndarray, np.ndarray]:
    """Kernel (features × dimension) and bias of the layer.

    `shrink` times the mean eigenvalue is added to the diagonal of the scatter. Of the whitened space the directions
    in which the training pictures vary most are kept, which are those that tell items apart.
    """
    features = features.astype(np.float64)
    mean = features.mean(0)
    scatter = within_item_scatter(features, labels)
    scatter += shrink * np.trace(scatter) / len(scatter) * np.eye(len(scatter))
    white = np.linalg.inv(np.linalg.cholesky(scatter)).T
    spread = (features - mean) @ white
    kernel = white @ _main_directions(spread, dimension)
    return kernel, -mean @ kernel


def principal_whitening(
    pictures: np.ndarray,
    labels: np.ndarray,
    others: np.ndarray,
    disturbances: list[tuple[float, np.ndarray]],
    shrink: float,
    dimension: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Kernel and bias of whitening within the main directions of the pictures and of others that have no label.

    With few items to learn from, directions that are chosen after whitening tell those items apart and no others;
    those chosen before it serve unseen items better. `disturbances` are differences of features, shape (any, features), that
    light, hands and the like make, each with its weight beside the scatter within items. Pictures, not the others, have
    their mean in the origin: strangers are told by the angle to it.
    """
    everything = np.concatenate([pictures, others]).astype(np.float32)
    mean, spread = everything.mean(0), everything.std(0) + SPREAD_FLOOR
    base = _main_directions((everything - mean) / spread, dimension)
    centre = pictures.mean(0)
    scatter = within_item_scatter((pictures - centre) / spread @ base, labels)
    for weight, differences in disturbances:
        reduced = (differences / spread @ base).astype(np.float64)
        scatter += weight * reduced.T @ reduced / len(reduced)
    scatter += shrink * np.trace(scatter) / dimension * np.eye(dimension)
    kernel = base @ np.linalg.inv(np.linalg.cholesky(scatter)).T / spread[:, None]
    kernel /= np.linalg.norm((pictures - centre) @ kernel, axis=1).mean()
    return kernel, -centre @ kernel


def deviations(variants: np.ndarray) -> np.ndarray:
    """Of each variant of a picture from the mean of its variants, shape (variants × pictures, features), from
    (variants, pictures, features); scaled so that few variants tell of the same spread as many."""
    count = len(variants)
    around = (variants - variants.mean(0)) * np.sqrt(count / (count - 1))
    return around.reshape(-1, variants.shape[-1])


def _main_directions(spread: np.ndarray, count: int) -> np.ndarray:
    """An orthonormal base of the directions of most variance, by subspace iteration (a full solution takes minutes)."""
    base = np.random.default_rng(0).normal(size=(spread.shape[1], min(count + OVERSIZE, *spread.shape)))
    for _ in range(ROUNDS):
        base, _ = np.linalg.qr(spread.T @ (spread @ base))
    _, _, turn = np.linalg.svd(spread @ base, full_matrices=False)
    return base @ turn[:count].T
