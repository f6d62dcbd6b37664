from enum import StrEnum


class DisplayLinkState(StrEnum):
    CLOSED = "closed"
    CONNECTING = "connecting"
    LOST = "lost"
    READY = "ready"

    def __str__(self) -> str:
        return str(self.value)
