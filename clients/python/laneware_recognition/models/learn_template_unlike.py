from enum import StrEnum


class LearnTemplateUnlike(StrEnum):
    LEARN = "learn"
    REFUSE = "refuse"

    def __str__(self) -> str:
        return str(self.value)
