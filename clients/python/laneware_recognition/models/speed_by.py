from enum import StrEnum


class SpeedBy(StrEnum):
    DEFAULT = "default"
    MEASURED = "measured"
    SET = "set"

    def __str__(self) -> str:
        return str(self.value)
