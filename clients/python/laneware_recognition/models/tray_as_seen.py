from enum import StrEnum


class TrayAsSeen(StrEnum):
    EMPTY = "empty"
    THINGS = "things"
    UNSURE = "unsure"

    def __str__(self) -> str:
        return str(self.value)
