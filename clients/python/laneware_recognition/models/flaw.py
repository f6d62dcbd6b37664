from enum import StrEnum


class Flaw(StrEnum):
    BLURRED = "blurred"
    DARK = "dark"
    GLARE = "glare"
    MOVING = "moving"

    def __str__(self) -> str:
        return str(self.value)
