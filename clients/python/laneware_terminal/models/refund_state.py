from enum import StrEnum


class RefundState(StrEnum):
    ASKED = "asked"
    DONE = "done"
    PENDING = "pending"
    REFUSED = "refused"
    SENT = "sent"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return str(self.value)
