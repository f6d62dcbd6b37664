from enum import StrEnum


class Symbol(StrEnum):
    FAILURE = "failure"
    SUCCESS = "success"
    WAITING = "waiting"

    def __str__(self) -> str:
        return str(self.value)
