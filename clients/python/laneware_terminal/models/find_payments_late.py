from enum import StrEnum


class FindPaymentsLate(StrEnum):
    YES = "yes"

    def __str__(self) -> str:
        return str(self.value)
