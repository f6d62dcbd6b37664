from enum import StrEnum


class SyncRole(StrEnum):
    MASTER = "master"
    SLAVE = "slave"
    STANDALONE = "standalone"

    def __str__(self) -> str:
        return str(self.value)
