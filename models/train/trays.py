"""What the goods lie on: drawn steel, rubber, plastic and wood, with the fine structure of each."""

import cv2
import numpy as np

# Light, middle and dark tone, red, green and blue; how strong the lines along it are; how long they are, as a share of the side.
TONES = {
    "steel": ((211, 215, 218), (180, 185, 189), (143, 149, 154)),
    "rubber": ((74, 77, 80), (56, 59, 62), (39, 41, 43)),
    "white": ((243, 241, 234), (227, 224, 215), (201, 197, 186)),
    "wood": ((199, 154, 99), (176, 130, 76), (138, 98, 54)),
}
LINES = {"steel": (14, 0.5), "rubber": (0, 0), "white": (5, 0.5), "wood": (22, 0.3)}
# Of the mat of rubber, as a share of the frame's height.
DIMPLE_DISTANCE, DIMPLE_RADIUS = 34 / 720, 6 / 720
DIMPLE_SHADE = 0.78


def draw_tray(kind: str, side: int, height: float, random: np.random.Generator, tones=None) -> np.ndarray:
    """A piece of a tray, float, shape (side, side, 3); `height` pixels would show as much as the whole frame does.

    `tones` (3 × 3) are taken in place of those that are usual for this kind.
    """
    light, middle, dark = np.array(TONES[kind] if tones is None else tones, np.float32)
    place = np.linspace(0, 1, 64, dtype=np.float32)
    lamp = random.uniform(-0.3, 1.3, 2)
    far = np.clip(np.hypot(place[None] - lamp[0], place[:, None] - lamp[1]), 0, 1)[:, :, None]
    ramp = np.where(far < 0.5, light + (middle - light) * 2 * far, middle + (dark - middle) * (2 * far - 1))
    x = cv2.resize(ramp.astype(np.float32), (side, side))
    strength, length = LINES[kind]
    if strength:
        x += strength * _lines(side, max(3, int(length * height)), random)[:, :, None]
    if kind == "rubber":
        _dimples(x, height, random)
    return x


def _lines(side: int, length: int, random: np.random.Generator) -> np.ndarray:
    """Fine lines from left to right, of mean 0 and deviation 1, shape (side, side)."""
    grain = random.standard_normal((side, max(2, 2 * side // length)), np.float32)
    grain = cv2.resize(grain, (side, side), interpolation=cv2.INTER_LINEAR)
    return grain / max(float(grain.std()), 1e-6)


def _dimples(x: np.ndarray, height: float, random: np.random.Generator) -> None:
    distance, radius = DIMPLE_DISTANCE * height, max(1.0, DIMPLE_RADIUS * height)
    if distance < 3:
        return
    start = random.uniform(0, distance, 2)
    for down in np.arange(start[0], len(x), distance):
        for right in np.arange(start[1], len(x), distance):
            shade = x[min(int(down), len(x) - 1), min(int(right), len(x) - 1)] * DIMPLE_SHADE
            cv2.circle(x, (int(right), int(down)), int(round(radius)), shade.tolist(), -1, cv2.LINE_AA)
