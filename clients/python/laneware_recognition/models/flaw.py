from enum import StrEnum


class Flaw(StrEnum):
    BLURRED = "blurred"
    CUT_BY_RIM = "cut-by-rim"
    DARK = "dark"
    GLARE = "glare"
    HAND = "hand"
    MOVING = "moving"

    def __str__(self) -> str:
        return str(self.value)
