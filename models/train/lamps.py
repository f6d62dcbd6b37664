"""Light on the tray: how bright, and the colour that a lamp leaves in the picture."""

import numpy as np

LEARNED_KELVIN = 5000
# The camera's white balance takes half of a lamp's colour out.
BALANCED = 0.5


def lamp_colour(kelvin: float) -> np.ndarray:
    """Red, green and blue of a lamp, green 1, shape (3,): the usual approximation of a black body (2,000 to 8,000 K)."""
    hundreds = kelvin / 100
    warm = hundreds <= 66
    red = 255 if warm else 329.7 * (hundreds - 60) ** -0.1332
    green = 99.47 * np.log(hundreds) - 161.1 if warm else 288.1 * (hundreds - 60) ** -0.0755
    blue = 138.5 * np.log(hundreds - 10) - 305 if hundreds < 66 else 255
    colour = np.clip([red, green, blue], 1, 255)
    return colour / colour[1]


def tint(kelvin: float, balanced: float = BALANCED) -> np.ndarray:
    """What a lamp makes of each channel, shape (3,), where the camera takes this share of its colour out."""
    return (lamp_colour(kelvin) / lamp_colour(LEARNED_KELVIN)) ** (1 - balanced)
