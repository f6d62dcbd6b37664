from enum import StrEnum


class DeliveryState(StrEnum):
    DELIVERED = "delivered"
    GIVEN_UP = "given-up"
    WAITING = "waiting"

    def __str__(self) -> str:
        return str(self.value)
