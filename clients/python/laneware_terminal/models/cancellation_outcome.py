from enum import StrEnum


class CancellationOutcome(StrEnum):
    ALREADY_PAID = "already-paid"
    NOT_POSSIBLE = "not-possible"
    REFUNDED = "refunded"
    UNKNOWN = "unknown"
    WITHDRAWN = "withdrawn"

    def __str__(self) -> str:
        return str(self.value)
