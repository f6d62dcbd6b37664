"""An item on a tray as the device gives it to the net: the item's box, cut out of a frame with a margin.

The item is the middle of a photograph within a soft, rounded edge. What lies on it, how it lies and the light on it are told by
a `Shot`; everything drawn comes from the given source of random numbers.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np

from trays import draw_tray

# Of the frame of the camera, and what an item has of it that fills the tray.
FRAME_HEIGHT = 720
WHOLE_SIDE = 620
# The device shows the item's box with this margin.
MARGIN = 1.2
# Half the width of what is kept of a photograph, as a share of its side; 2 is a circle, much more a square; how soft its edge is.
REACH = 0.47
ROUNDNESS = 3.0
FADE = 0.03
NOISE_SIDE = 128
SKINS = ((232, 193, 160), (217, 165, 127), (185, 125, 86), (138, 90, 59), (92, 58, 38))


@dataclass(frozen=True)
class Hand:
    """Fingers from a rim; widths and places as shares of the item's side."""

    angle: float
    skin: tuple[float, float, float]
    fingers: int = 4
    width: float = 0.13
    across: float = 0.0
    reach: float = 0.0


@dataclass(frozen=True)
class Bag:
    """A milky film with creases that shine."""

    film: float = 0.2
    creases: int = 26


@dataclass(frozen=True)
class Shot:
    tray: str = "steel"
    tones: tuple | None = None
    side: float = WHOLE_SIDE
    turn: float = 0.0
    rounded: float = ROUNDNESS
    reach: tuple[float, float] = (REACH, REACH)
    light: np.ndarray = field(default_factory=lambda: np.ones(3))
    """Brightness of each channel, 1 as the tray was learned."""
    hand: Hand | None = None
    bag: Bag | None = None
    noise: float = 2.0
    jpeg: int = 88
    zoom: float = 1.0
    """The cut-out beside what it ought to be."""
    shift: tuple[float, float] = (0.0, 0.0)
    """Of the cut-out, as a share of its side."""


def render(picture: np.ndarray, shot: Shot, size: int, random: np.random.Generator, share: float = 1.0) -> np.ndarray:
    """The view, uint8, shape (size, size, 3); `share` of its sides is shown, around the middle.

    It is drawn with the pixels that the camera has for it, so a small item is blurred and has the blocks of its JPEG.
    """
    mask = cover(picture.shape[0], shot.rounded, shot.reach)
    view = _box(picture.shape[0], shot) * shot.side / picture.shape[0] * MARGIN * shot.zoom * share
    side = max(16, round(view))
    matrix = _placing(picture.shape[0], side, view / share, shot)
    item = cv2.warpAffine(picture, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    mask = cv2.warpAffine(mask, matrix, (side, side), flags=cv2.INTER_LINEAR)[:, :, None]
    x = draw_tray(shot.tray, side, FRAME_HEIGHT, random, shot.tones)
    x *= 1 - 0.22 * _shadow(mask, shot.side)
    x += (item - x) * mask
    middle = matrix @ np.array([picture.shape[0] / 2, picture.shape[0] / 2, 1])
    if shot.bag:
        x = _draw_bag(x, middle, shot.side, shot.bag, random)
    if shot.hand:
        _draw_hand(x, middle, shot.side, shot.hand)
    x += shot.noise * _grain(side, random)
    x *= shot.light.astype(np.float32)
    x = np.clip(x, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", x, [cv2.IMWRITE_JPEG_QUALITY, shot.jpeg])
    x = cv2.imdecode(data, cv2.IMREAD_COLOR)
    return cv2.resize(x, (size, size), interpolation=cv2.INTER_AREA if side >= size else cv2.INTER_CUBIC)


def cover(side: int, rounded: float = ROUNDNESS, reach: tuple[float, float] = (REACH, REACH)) -> np.ndarray:
    """1 on the item, 0 around it, float32, shape (side, side)."""
    place = (np.arange(side) + 0.5) / side - 0.5
    along = np.abs(place / reach[0]) ** rounded
    down = np.abs(place / reach[1]) ** rounded
    distance = (along[None, :] + down[:, None]) ** (1 / rounded)
    return np.clip((1 - distance) / FADE, 0, 1).astype(np.float32)


def _box(side: int, shot: Shot) -> float:
    """The longer side of the upright box around the turned item, in pixels of a photograph of `side`."""
    around = np.linspace(0, 2 * np.pi, 128)
    rim = np.stack([np.cos(around), np.sin(around)])
    rim *= np.array(shot.reach)[:, None] / (np.abs(rim) ** shot.rounded).sum(0) ** (1 / shot.rounded)
    angle = np.deg2rad(shot.turn)
    turned = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]) @ rim
    return side * float(np.ptp(turned, axis=1).max())


def _placing(picture: int, side: int, whole: float, shot: Shot) -> np.ndarray:
    """From places of the photograph to places of the view, shape (2, 3)."""
    matrix = cv2.getRotationMatrix2D((picture / 2, picture / 2), shot.turn, shot.side / picture)
    matrix[:, 2] += side / 2 - picture / 2 + np.array(shot.shift) * whole
    return matrix


def _shadow(mask: np.ndarray, side: float) -> np.ndarray:
    """Where the item keeps the light off the tray, 0 to 1, shape (side, side, 1)."""
    moved = np.float32([[1, 0, 0.02 * side], [0, 1, 0.03 * side]])
    dark = cv2.warpAffine(mask, moved, mask.shape[1::-1])
    return cv2.blur(dark, (max(1, int(0.06 * side)),) * 2)[:, :, None]


def _grain(side: int, random: np.random.Generator) -> np.ndarray:
    """Of the sensor: noise of deviation 1 in tiles, shape (side, side, 1)."""
    tiles = -(-side // NOISE_SIDE)
    return np.tile(random.standard_normal((NOISE_SIDE, NOISE_SIDE, 1), np.float32), (tiles, tiles, 1))[:side, :side]


def _draw_hand(x: np.ndarray, middle: np.ndarray, side: float, hand: Hand) -> None:
    inward = np.array([np.cos(hand.angle), np.sin(hand.angle)])
    across = np.array([-inward[1], inward[0]])
    width = max(1, round(hand.width * side))
    for finger in range(hand.fingers):
        aside = middle + across * (hand.across + (finger - (hand.fingers - 1) / 2) * hand.width * 1.08) * side
        start = aside - inward * 2 * side
        end = aside + inward * (hand.reach + 0.05 * np.sin(2.6 * finger)) * side
        cv2.line(x, _at(start), _at(end), hand.skin, width, cv2.LINE_AA)
        edge = across * hand.width * 0.48 * side
        dark = tuple(0.82 * value for value in hand.skin)
        cv2.line(x, _at(start + edge), _at(end + edge), dark, max(1, round(0.005 * side)), cv2.LINE_AA)


def _draw_bag(x: np.ndarray, middle: np.ndarray, side: float, bag: Bag, random: np.random.Generator) -> np.ndarray:
    half = 0.56 * side
    milk = np.zeros(x.shape[:2], np.float32)
    cv2.rectangle(milk, _at(middle - half), _at(middle + half), bag.film, -1)
    step = np.linspace(0, 1, 8)[:, None]
    for _ in range(bag.creases):
        start = middle + random.uniform(-half, half, 2)
        bend = start + random.uniform(-0.15, 0.15, 2) * side
        end = start + random.uniform(-0.26, 0.26, 2) * side
        curve = (1 - step) ** 2 * start + 2 * step * (1 - step) * bend + step**2 * end
        shine = random.uniform(0.25, 0.8)
        width = max(1, round(random.uniform(1, 6) * side / WHOLE_SIDE))
        shine *= min(1.0, 6 * side / WHOLE_SIDE)
        cv2.polylines(milk, [curve.astype(np.int32)], False, max(bag.film, shine), width, cv2.LINE_AA)
    return x + (255 - x) * milk[:, :, None]


def _at(point: np.ndarray) -> list[int]:
    return np.round(point).astype(int).tolist()
