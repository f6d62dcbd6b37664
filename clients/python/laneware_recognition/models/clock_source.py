from enum import StrEnum


class ClockSource(StrEnum):
    CHIP = "chip"
    NONE = "none"
    TIME_SERVER = "time-server"

    def __str__(self) -> str:
        return str(self.value)
