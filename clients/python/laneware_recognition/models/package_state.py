from enum import StrEnum


class PackageState(StrEnum):
    CHECKING = "checking"
    DONE = "done"
    FAILED = "failed"
    NONE = "none"
    REFUSED = "refused"
    RUNNING = "running"

    def __str__(self) -> str:
        return str(self.value)
