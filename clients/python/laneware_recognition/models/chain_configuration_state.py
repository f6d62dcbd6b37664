from enum import StrEnum


class ChainConfigurationState(StrEnum):
    PENDING = "pending"
    REFUSED = "refused"
    TAKEN = "taken"
    UNDONE = "undone"

    def __str__(self) -> str:
        return str(self.value)
