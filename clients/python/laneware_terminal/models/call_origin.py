from enum import StrEnum


class CallOrigin(StrEnum):
    PAGE = "page"
    TILL = "till"
    WATCH = "watch"

    def __str__(self) -> str:
        return str(self.value)
