from enum import StrEnum


class SandboxDeedDoes(StrEnum):
    DECLINE = "decline"
    LATE = "late"
    PAY = "pay"
    SILENT = "silent"

    def __str__(self) -> str:
        return str(self.value)
