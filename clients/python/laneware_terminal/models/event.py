from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_type import EventType
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.payment import Payment
    from ..models.refund import Refund


T = TypeVar("T", bound="Event")


@_attrs_define
class Event:
    """what has happened, with the payment (and the refund) as it then was

    Attributes:
        number (int): greater than that of each event before; never given twice
        type_ (EventType):
        at (datetime.datetime): when it happened, by the clock of the device, UTC
        payment (Payment): a payment
        refund (Refund | Unset): a refund
    """

    number: int
    type_: EventType
    at: datetime.datetime
    payment: Payment
    refund: Refund | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        type_ = self.type_.value

        at = self.at.isoformat()

        payment = self.payment.to_dict()

        refund: dict[str, Any] | Unset = UNSET
        if not isinstance(self.refund, Unset):
            refund = self.refund.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "number": number,
                "type": type_,
                "at": at,
                "payment": payment,
            }
        )
        if refund is not UNSET:
            field_dict["refund"] = refund

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment import Payment
        from ..models.refund import Refund

        d = dict(src_dict)
        number = d.pop("number")

        type_ = EventType(d.pop("type"))

        at = datetime.datetime.fromisoformat(d.pop("at"))

        payment = Payment.from_dict(d.pop("payment"))

        _refund = d.pop("refund", UNSET)
        refund: Refund | Unset
        if isinstance(_refund, Unset):
            refund = UNSET
        else:
            refund = Refund.from_dict(_refund)

        event = cls(
            number=number,
            type_=type_,
            at=at,
            payment=payment,
            refund=refund,
        )

        event.additional_properties = d
        return event

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
