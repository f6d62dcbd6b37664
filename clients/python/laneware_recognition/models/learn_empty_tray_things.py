from enum import StrEnum


class LearnEmptyTrayThings(StrEnum):
    IGNORE = "ignore"
    REFUSE = "refuse"

    def __str__(self) -> str:
        return str(self.value)
