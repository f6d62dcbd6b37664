from enum import StrEnum


class Person(StrEnum):
    CASHIER = "cashier"
    SUPERVISOR = "supervisor"
    TECHNICIAN = "technician"

    def __str__(self) -> str:
        return str(self.value)
