"""Variants of a picture as an item laid on a tray of any kind: any turn, light, lamp and size, under a hand, in a bag."""

from dataclasses import replace

import cv2
import numpy as np

from augment import FIELD, augment, middle
from lamps import BALANCED, tint
from scene import WHOLE_SIDE, Bag, Hand, Shot, render
from trays import TONES

# Of the variants: laid any way round, on a tray of foreign colours, with a hand, in a bag, in the light of another lamp.
ANY_TURN = 0.6
FOREIGN = 0.4
HAND = 0.35
BAG = 0.2
LAMP = 0.7
# Of those in the light of another lamp: where the camera takes another share of its colour out than usual, all or none included.
UNBALANCED = 0.3
SMALLEST = 0.28
# Skin, from dark to light.
BARE = ((90, 60, 40), (240, 200, 175))
LOOKS = (1.0, 0.7)
LIGHT = (0.4, 1.6)
KELVINS = (2700, 7500)
# How much of the device's view is shown: all of it, or as little as the closer look.
SHARES = (0.66, 1.05)
# Of eight variants that training draws: so many are the picture itself, changed as in the bank, and laid down.
ITSELF, CHANGED, EIGHTH = 1, 3, 8
ENDLESS = 4096


class DrawnBank:
    """Indexed as the array of `build_bank` is, but each variant is drawn when it is asked for: half of them lie on a tray."""

    def __init__(self, pictures: np.ndarray, size: int, seed: int) -> None:
        self.pictures, self.size, self.seed = pictures, size, seed

    def __len__(self) -> int:
        return ENDLESS

    def __getitem__(self, key: tuple[int, int]) -> np.ndarray:
        """`key` is (variant, row); shape (size, size, 3)."""
        variant, row = map(int, key)
        picture, random = self.pictures[row], np.random.default_rng((self.seed, row, variant))
        kind = variant % EIGHTH
        if kind < ITSELF:
            return cv2.resize(middle(picture), (self.size, self.size), interpolation=cv2.INTER_AREA)
        if kind < ITSELF + CHANGED:
            return augment(picture, self.size, random, self.pictures)
        return lay_down(picture, self.size, FIELD, random)


def covered(picture: np.ndarray, size: int, field: float, seed: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The same shot twice, without and with a hand over it; each of shape (size, size, 3)."""
    random = np.random.default_rng(seed)
    shot = replace(any_shot(random), bag=None, hand=None)
    skin = tuple(float(value) for value in random.uniform(*BARE))
    hand = replace(_hand(random), fingers=int(random.integers(3, 5)), skin=skin)
    field *= random.choice(LOOKS)
    bare, under = (render(picture, replace(shot, hand=each), size, np.random.default_rng(seed), field) for each in (None, hand))
    return bare, under


def lay_down(picture: np.ndarray, size: int, field: float, random: np.random.Generator) -> np.ndarray:
    """One variant, uint8, shape (size, size, 3); `field` of the sides of a look are shown."""
    share = np.exp(random.uniform(*np.log(SHARES)))
    picture = picture[:, ::-1] if random.random() < 0.5 else picture
    return render(np.ascontiguousarray(picture), any_shot(random), size, random, field * share)


def any_shot(random: np.random.Generator) -> Shot:
    kind = str(random.choice(list(TONES)))
    return Shot(
        tray=kind,
        tones=_tones(kind, random),
        side=WHOLE_SIDE * np.exp(random.uniform(np.log(SMALLEST), 0)),
        turn=random.uniform(-180, 180) if random.random() < ANY_TURN else random.normal(0, 12),
        rounded=random.uniform(2, 4),
        reach=tuple(random.uniform(0.4, 0.49, 2)),
        light=any_light(random),
        hand=_hand(random) if random.random() < HAND else None,
        bag=Bag(random.uniform(0.1, 0.3), int(random.integers(8, 30))) if random.random() < BAG else None,
        noise=random.uniform(0, 5),
        jpeg=int(random.integers(50, 95)),
        zoom=random.uniform(0.88, 1.12),
        shift=tuple(random.uniform(-0.07, 0.07, 2)),
    )


def any_light(random: np.random.Generator) -> np.ndarray:
    """Of each channel, shape (3,)."""
    light = np.full(3, np.exp(random.uniform(*np.log(LIGHT))))
    if random.random() >= LAMP:
        return light
    balanced = random.uniform(0, 1) if random.random() < UNBALANCED else BALANCED
    return light * tint(random.uniform(*KELVINS), balanced)


def _tones(kind: str, random: np.random.Generator) -> tuple:
    """The usual ones, a little off, or of any colour."""
    if random.random() < FOREIGN:
        middle = random.uniform(20, 235) + random.normal(0, 12, 3)
        usual = np.stack([middle * 1.15, middle, middle * 0.85])
    else:
        usual = np.array(TONES[kind]) * np.exp(random.normal(0, 0.1)) + random.normal(0, 4, 3)
    return tuple(map(tuple, np.clip(usual, 0, 255)))


def _hand(random: np.random.Generator) -> Hand:
    """Two to four fingers over less than half of the item, bare or in a glove."""
    skin = random.uniform(*BARE) if random.random() < 0.8 else random.uniform(20, 240, 3)
    return Hand(
        angle=random.uniform(0, 2 * np.pi),
        skin=tuple(float(value) for value in skin),
        fingers=int(random.integers(2, 5)),
        width=random.uniform(0.09, 0.14),
        across=random.normal(0, 0.15),
        reach=random.uniform(-0.15, 0.05),
    )
