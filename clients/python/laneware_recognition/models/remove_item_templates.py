from enum import StrEnum


class RemoveItemTemplates(StrEnum):
    DELETE = "delete"
    KEEP = "keep"

    def __str__(self) -> str:
        return str(self.value)
