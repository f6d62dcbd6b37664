from enum import StrEnum


class PartState(StrEnum):
    DEGRADED = "degraded"
    FAILED = "failed"
    OK = "ok"

    def __str__(self) -> str:
        return str(self.value)
