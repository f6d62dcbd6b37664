from enum import StrEnum


class Person(StrEnum):
    CASHIER = "cashier"
    TECHNICIAN = "technician"

    def __str__(self) -> str:
        return str(self.value)
