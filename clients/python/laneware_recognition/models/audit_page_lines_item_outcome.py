from enum import StrEnum


class AuditPageLinesItemOutcome(StrEnum):
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"

    def __str__(self) -> str:
        return str(self.value)
