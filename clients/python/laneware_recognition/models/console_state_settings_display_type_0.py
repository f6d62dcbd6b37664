from enum import StrEnum


class ConsoleStateSettingsDisplayType0(StrEnum):
    BLE = "ble"
    SCREEN = "screen"
    SERIAL = "serial"

    def __str__(self) -> str:
        return str(self.value)
