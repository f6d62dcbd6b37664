from enum import StrEnum


class CallPort(StrEnum):
    RECOGNITION = "recognition"
    TERMINAL = "terminal"

    def __str__(self) -> str:
        return str(self.value)
