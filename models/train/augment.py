"""Pictures as a checkout lane sees them: other light, angle, distance, hands, bags, backgrounds, cameras.

Every variant of a picture is a function of (seed, row, variant) alone, so a bank of them is the same on every run.
"""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np

# Training shows the middle of a picture, this share of its sides: what is finer there tells more than what is around.
FIELD = 0.75
# How large an item appears, against the middle of its picture. The device's closer look makes it 1.43 times as large.
FARTHEST, NEAREST = 0.75, 1.65
# The share of variants that each change is applied to.
OCCLUSION = 0.25
HAND = 0.2
GLARE = 0.25
BACKGROUND = 0.3
BLUR = 0.3
NOISE = 0.25
JPEG = 0.5
# Of parts that stand for other items: what share of the sides they show, how many have their colours exchanged.
STRANGE_SHARES = (0.4, 0.5, 0.6, 0.71)
EXCHANGED = 0.9


def build_bank(pictures: np.ndarray, size: int, variants: int, seed: int, path: Path, threads: int = 2) -> np.ndarray:
    """A memory-mapped array (variants, pictures, size, size, 3) of uint8; variant 0 is the middle of the picture itself.

    Rows that are missing after an interruption are told from finished ones by the marker file beside the array.
    """
    shape = (variants, len(pictures), size, size, 3)
    done = path.with_suffix(".done")
    if done.exists() and done.read_text() == repr((shape, seed)):
        return np.load(path, mmap_mode="r")
    done.unlink(missing_ok=True)
    bank = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=shape)
    cv2.setNumThreads(1)

    def fill(row: int) -> None:
        bank[0, row] = cv2.resize(middle(pictures[row]), (size, size), interpolation=cv2.INTER_AREA)
        for variant in range(1, variants):
            random = np.random.default_rng((seed, row, variant))
            bank[variant, row] = augment(pictures[row], size, random, pictures)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, range(len(pictures))))
    bank.flush()
    done.write_text(repr((shape, seed)))
    return bank


def strange(picture: np.ndarray, size: int, random: np.random.Generator) -> np.ndarray:
    """A part of a picture, turned by quarters, mirrored, mostly in exchanged colours: like an item that nobody has shown."""
    part = round(picture.shape[0] * random.choice(STRANGE_SHARES))
    top, left = random.integers(0, picture.shape[0] - part + 1, 2)
    x = np.rot90(picture[top : top + part, left : left + part], random.integers(4))
    if random.random() < 0.5:
        x = x[:, ::-1]
    if random.random() < EXCHANGED:
        x = x[:, :, random.permutation(3)]
    interpolation = cv2.INTER_AREA if part >= size else cv2.INTER_CUBIC
    return cv2.resize(np.ascontiguousarray(x), (size, size), interpolation=interpolation)


def middle(picture: np.ndarray) -> np.ndarray:
    """What of a picture training shows."""
    side = picture.shape[0]
    part = round(side * FIELD)
    start = (side - part) // 2
    return picture[start : start + part, start : start + part]


def augment(picture: np.ndarray, size: int, random: np.random.Generator, others: np.ndarray) -> np.ndarray:
    """One variant of a square uint8 picture. `others` are pictures that may serve as a background."""
    x = _place(picture, size, random)
    if random.random() < BACKGROUND:
        x = _on_background(x, random, others)
    if random.random() < HAND:
        _draw_hand(x, random)
    if random.random() < OCCLUSION:
        _occlude(x, random)
    x = x.astype(np.float32)
    if random.random() < GLARE:
        x = _glare(x, random)
    x = _light(x, random)
    if random.random() < BLUR:
        x = _blur(x, random)
    if random.random() < NOISE:
        x += random.normal(0, random.uniform(2, 8), x.shape).astype(np.float32)
    x = np.clip(x, 0, 255).astype(np.uint8)
    return _jpeg(x, random) if random.random() < JPEG else x


def _place(picture, size, random):
    """Scale, any rotation now and then, shift, slight perspective, mirror."""
    side = picture.shape[0]
    scale = size / side / FIELD * np.exp(random.uniform(np.log(FARTHEST), np.log(NEAREST)))
    turn = random.uniform(-180, 180) if random.random() < 0.3 else random.normal(0, 15)
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((side / 2, side / 2), turn, scale)
    matrix[:2, 2] += size / 2 - side / 2 + random.uniform(-0.15, 0.15, 2) * size
    matrix[2, :2] = random.normal(0, 0.1, 2) / size / 2
    x = cv2.warpPerspective(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    return np.ascontiguousarray(x[:, ::-1]) if random.random() < 0.5 else x


def _on_background(x, random, others):
    """The middle of the picture, with a soft edge, on a tray or on a piece of another picture."""
    size = x.shape[0]
    if random.random() < 0.5:
        other = others[random.integers(len(others))]
        background = cv2.resize(other[: other.shape[0] // 2, : other.shape[1] // 2], (size, size))
        background = cv2.GaussianBlur(background, (0, 0), random.uniform(1, 6)).astype(np.float32)
    else:
        ends = random.uniform(20, 235, (2, 1, 1, 1)) + random.normal(0, 8, (2, 1, 1, 3))
        ramp = np.linspace(0, 1, size, dtype=np.float32)[:, None, None]
        background = np.broadcast_to(ends[0] * ramp + ends[1] * (1 - ramp), x.shape).astype(np.float32)
    mask = np.zeros((size, size), np.float32)
    axes = (random.uniform(0.36, 0.55, 2) * size).astype(int)
    centre = (size / 2 + random.uniform(-0.05, 0.05, 2) * size).astype(int)
    cv2.ellipse(mask, centre.tolist(), axes.tolist(), random.uniform(0, 180), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), size * random.uniform(0.02, 0.05))[:, :, None]
    return (x * mask + background * (1 - mask)).astype(np.uint8)


def _draw_hand(x, random):
    """Two to four fingers, bare or in a glove of any colour, that reach in from an edge."""
    size = x.shape[0]
    skin = random.uniform((90, 60, 45), (240, 195, 170))
    angle = random.uniform(0, 2 * np.pi)
    inward = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-inward[1], inward[0]])
    width = random.uniform(0.06, 0.11) * size
    root = size / 2 - inward * size * 0.75 + across * random.normal(0, 0.15) * size
    for finger in range(random.integers(2, 5)):
        start = root + across * finger * width * 1.1
        end = start + inward * random.uniform(0.3, 0.55) * size
        shade = (skin * random.uniform(0.85, 1.1)).clip(0, 255)
        cv2.line(x, start.astype(int).tolist(), end.astype(int).tolist(), shade.tolist(), int(width), cv2.LINE_AA)


def _occlude(x, random):
    """A rectangle of one colour, of noise or of another place of the picture."""
    size = x.shape[0]
    height, width = (random.uniform(0.12, 0.35, 2) * size).astype(int)
    top, left = random.integers(0, size - height), random.integers(0, size - width)
    kind = random.integers(3)
    if kind == 0:
        patch = np.broadcast_to(random.integers(0, 256, 3), (height, width, 3))
    elif kind == 1:
        patch = random.integers(0, 256, (height, width, 3))
    else:
        y0, x0 = random.integers(0, size - height), random.integers(0, size - width)
        patch = x[y0 : y0 + height, x0 : x0 + width].copy()
    x[top : top + height, left : left + width] = patch


def _glare(x, random):
    """Milky film and bright streaks, as of a thin plastic bag under a lamp."""
    size = x.shape[0]
    light = np.zeros((size, size), np.float32)
    for _ in range(random.integers(1, 6)):
        ends = random.uniform(0, size, (2, 2)).astype(int)
        cv2.line(light, ends[0].tolist(), ends[1].tolist(), random.uniform(0.3, 1.0), int(random.integers(1, 8)))
    light = cv2.GaussianBlur(light, (0, 0), random.uniform(0.8, 5)) + random.uniform(0, 0.2)
    return x + (255 - x) * np.clip(light, 0, 0.95)[:, :, None]


def _light(x, random):
    """Exposure, gamma, contrast, saturation, white balance, a ramp of shadow."""
    x = 255 * np.power(np.clip(x / 255, 0, 1), np.exp(random.normal(0, 0.22)))
    grey = x.mean(axis=2, keepdims=True)
    x = grey + (x - grey) * np.exp(random.normal(0, 0.18))
    x = (x - 128) * np.exp(random.normal(0, 0.15)) + 128
    x = x * np.exp(random.normal(0, 0.16)) * np.exp(random.normal(0, 0.05, 3))
    if random.random() < 0.3:
        ramp = np.linspace(random.uniform(0.5, 1), 1, x.shape[0])
        ramp = ramp[:, None, None] if random.random() < 0.5 else ramp[None, :, None]
        x = x * ramp
    return x.astype(np.float32)


def _blur(x, random):
    if random.random() < 0.5:
        return cv2.GaussianBlur(x, (0, 0), random.uniform(0.4, 1.6))
    length = int(random.integers(3, 8))
    kernel = np.zeros((length, length), np.float32)
    angle = random.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    middle = np.array([length / 2, length / 2])
    cv2.line(kernel, (middle - reach).astype(int).tolist(), (middle + reach).astype(int).tolist(), 1.0)
    return cv2.filter2D(x, -1, kernel / max(kernel.sum(), 1))


def _jpeg(x, random):
    _, data = cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(35, 95))])
    return cv2.imdecode(data, cv2.IMREAD_COLOR)
