from enum import StrEnum


class AuditPageLinesItemCredential(StrEnum):
    BUTTON = "button"
    DEVICE = "device"
    LOOPBACK = "loopback"
    NONE = "none"
    PAIRING_CODE = "pairing-code"
    TECHNICIAN = "technician"
    TILL = "till"

    def __str__(self) -> str:
        return str(self.value)
