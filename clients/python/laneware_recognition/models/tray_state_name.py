from enum import StrEnum


class TrayStateName(StrEnum):
    EMPTY = "empty"
    ITEM = "item"
    LOST = "lost"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return str(self.value)
