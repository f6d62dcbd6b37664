from enum import StrEnum


class LogPart(StrEnum):
    CHAIN = "chain"
    DEVICE = "device"
    RECOGNITION = "recognition"
    SYNC = "sync"
    TERMINAL = "terminal"

    def __str__(self) -> str:
        return str(self.value)
