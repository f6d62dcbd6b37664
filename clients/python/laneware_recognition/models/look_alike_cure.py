from enum import StrEnum


class LookAlikeCure(StrEnum):
    CHOOSE = "choose"
    DELETE_STRAYS = "delete-strays"
    MORE_TEMPLATES = "more-templates"

    def __str__(self) -> str:
        return str(self.value)
