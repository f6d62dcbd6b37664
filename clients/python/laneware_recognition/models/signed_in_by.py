from enum import StrEnum


class SignedInBy(StrEnum):
    PIN = "pin"
    TOKEN = "token"

    def __str__(self) -> str:
        return str(self.value)
