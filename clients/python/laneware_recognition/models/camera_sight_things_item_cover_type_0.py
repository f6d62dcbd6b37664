from enum import StrEnum


class CameraSightThingsItemCoverType0(StrEnum):
    CUT_BY_RIM = "cut-by-rim"
    HAND = "hand"

    def __str__(self) -> str:
        return str(self.value)
