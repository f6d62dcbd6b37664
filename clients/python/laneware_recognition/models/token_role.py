from enum import StrEnum


class TokenRole(StrEnum):
    TECHNICIAN = "technician"
    TILL = "till"

    def __str__(self) -> str:
        return str(self.value)
