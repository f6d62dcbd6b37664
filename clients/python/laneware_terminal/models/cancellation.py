from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.cancellation_outcome import CancellationOutcome

if TYPE_CHECKING:
    from ..models.payment import Payment


T = TypeVar("T", bound="Cancellation")


@_attrs_define
class Cancellation:
    """what has come of it

    Attributes:
        outcome (CancellationOutcome): withdrawn: nobody can pay it any more. already-paid: it is ACCEPTED, or being
            paid; refund it if it is not wanted. refunded: it had been paid, and the bank gives all of it back. not-
            possible: the bank cannot, and it may be paid until its time is over. unknown: the bank does not answer; it is
            followed to its end
        payment (Payment): a payment
    """

    outcome: CancellationOutcome
    payment: Payment
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        outcome = self.outcome.value

        payment = self.payment.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "outcome": outcome,
                "payment": payment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment import Payment

        d = dict(src_dict)
        outcome = CancellationOutcome(d.pop("outcome"))

        payment = Payment.from_dict(d.pop("payment"))

        cancellation = cls(
            outcome=outcome,
            payment=payment,
        )

        cancellation.additional_properties = d
        return cancellation

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
