from enum import StrEnum


class CallBodyWithheldType0(StrEnum):
    BINARY = "binary"
    SECRET = "secret"
    UNREAD = "unread"

    def __str__(self) -> str:
        return str(self.value)
