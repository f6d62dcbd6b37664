from enum import StrEnum


class PictureKind(StrEnum):
    CLEAR = "clear"
    QR = "qr"
    STATUS = "status"

    def __str__(self) -> str:
        return str(self.value)
