from enum import StrEnum


class TrayEventType(StrEnum):
    CAMERA_LOST = "camera.lost"
    ITEM_RECOGNISED = "item.recognised"
    ITEM_UNKNOWN = "item.unknown"
    TRAY_CHANGED = "tray.changed"
    TRAY_EMPTY = "tray.empty"

    def __str__(self) -> str:
        return str(self.value)
