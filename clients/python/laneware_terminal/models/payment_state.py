from enum import StrEnum


class PaymentState(StrEnum):
    ACCEPTED = "ACCEPTED"
    CANCELED = "CANCELED"
    EMPTY = "EMPTY"
    ERROR = "ERROR"
    PENDING = "PENDING"
    REJECTED = "REJECTED"
    STATIC = "STATIC"

    def __str__(self) -> str:
        return str(self.value)
