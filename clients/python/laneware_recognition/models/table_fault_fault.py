from enum import StrEnum


class TableFaultFault(StrEnum):
    TAKEN = "taken"
    TWICE = "twice"
    VALUE = "value"

    def __str__(self) -> str:
        return str(self.value)
