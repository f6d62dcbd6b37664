from enum import StrEnum


class DifferenceKind(StrEnum):
    DUPLICATE_LINE = "duplicate-line"
    NOT_ACCEPTED = "not-accepted"
    NOT_IN_LEDGER = "not-in-ledger"
    NOT_IN_REGISTRY = "not-in-registry"
    OTHER_AMOUNT = "other-amount"
    REFUND_NOT_IN_LEDGER = "refund-not-in-ledger"
    REFUND_NOT_IN_REGISTRY = "refund-not-in-registry"
    UNREADABLE_LINE = "unreadable-line"

    def __str__(self) -> str:
        return str(self.value)
