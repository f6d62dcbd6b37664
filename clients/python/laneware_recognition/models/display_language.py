from enum import StrEnum


class DisplayLanguage(StrEnum):
    BOTH = "both"
    EN = "en"
    RU = "ru"

    def __str__(self) -> str:
        return str(self.value)
