from enum import StrEnum


class Speed(StrEnum):
    FAST = "fast"
    NORMAL = "normal"

    def __str__(self) -> str:
        return str(self.value)
