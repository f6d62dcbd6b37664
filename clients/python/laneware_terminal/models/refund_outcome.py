from enum import StrEnum


class RefundOutcome(StrEnum):
    DONE = "done"
    REFUSED = "refused"

    def __str__(self) -> str:
        return str(self.value)
