from enum import StrEnum


class EventType(StrEnum):
    PAYMENT_ACCEPTED = "payment.accepted"
    PAYMENT_ACKNOWLEDGED = "payment.acknowledged"
    PAYMENT_CANCELED = "payment.canceled"
    PAYMENT_CREATED = "payment.created"
    PAYMENT_ERROR = "payment.error"
    PAYMENT_GIVEN_BACK = "payment.given_back"
    PAYMENT_LATE = "payment.late"
    PAYMENT_REFUNDED = "payment.refunded"
    PAYMENT_REJECTED = "payment.rejected"
    PAYMENT_REOPENED = "payment.reopened"
    PAYMENT_SHOWN = "payment.shown"
    REFUND_CREATED = "refund.created"
    REFUND_DONE = "refund.done"
    REFUND_REFUSED = "refund.refused"

    def __str__(self) -> str:
        return str(self.value)
