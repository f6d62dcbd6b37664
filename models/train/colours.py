"""How much of a picture has which colour, in a form that a few operations of the model's file compute.

A pixel belongs to each of some learned colours by softmax over its nearness; the shares of a picture are the means over its
pixels. The square of the pixel itself drops out of the softmax, so nearness is one linear layer.
"""

import cv2
import numpy as np

COUNT = 64
# A picture is looked at in blocks of so many pixels a side.
BLOCK = 4
SAMPLES = 20_000
ROUNDS = 30
SEED = 3
# Light and two colour differences, of red, green and blue in 0..1 (BT.601); lamps change the light most, so it counts less.
OPPONENTS = np.array([[0.299, 0.587, 0.114], [-0.169, -0.331, 0.5], [0.5, -0.419, -0.081]])
WEIGHTS = np.array([0.4, 1.0, 1.0])


def learn_colours(pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Kernel (3 × COUNT) and bias of the layer in front of the softmax, for pixels in -1..1."""
    side = pictures.shape[1] // BLOCK
    small = np.stack([cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA) for picture in pictures])
    turn = OPPONENTS.T * WEIGHTS
    pixels = small.reshape(-1, 3) / 255
    pixels = pixels[np.random.default_rng(SEED).choice(len(pixels), SAMPLES, replace=False)] @ turn
    cv2.setRNGSeed(SEED)
    end = (cv2.TERM_CRITERIA_MAX_ITER, ROUNDS, 0)
    compactness, _, centres = cv2.kmeans(pixels.astype(np.float32), COUNT, None, end, 1, cv2.KMEANS_PP_CENTERS)
    spread = compactness / SAMPLES
    kernel = 2 * turn @ centres.T / spread
    bias = -(centres**2).sum(1) / spread
    return kernel / 2, bias + kernel.sum(0) / 2
