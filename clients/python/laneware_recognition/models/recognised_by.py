from enum import StrEnum


class RecognisedBy(StrEnum):
    BARCODE = "barcode"
    LOOKS = "looks"

    def __str__(self) -> str:
        return str(self.value)
