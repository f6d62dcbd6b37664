from enum import StrEnum


class RefundRequestAmountType1(StrEnum):
    ALL = "all"

    def __str__(self) -> str:
        return str(self.value)
