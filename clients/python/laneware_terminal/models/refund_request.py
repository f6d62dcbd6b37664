from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..models.refund_request_amount_type_1 import RefundRequestAmountType1
from ..types import UNSET, Unset

T = TypeVar("T", bound="RefundRequest")


@_attrs_define
class RefundRequest:
    """
    Attributes:
        amount (int | RefundRequestAmountType1): kopecks, or `all` for what is left
        supervisor_pin (None | str | Unset):
        id (None | str | Unset):
    """

    amount: int | RefundRequestAmountType1
    supervisor_pin: None | str | Unset = UNSET
    id: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        amount: int | str
        if isinstance(self.amount, RefundRequestAmountType1):
            amount = self.amount.value
        else:
            amount = self.amount

        supervisor_pin: None | str | Unset
        if isinstance(self.supervisor_pin, Unset):
            supervisor_pin = UNSET
        else:
            supervisor_pin = self.supervisor_pin

        id: None | str | Unset
        if isinstance(self.id, Unset):
            id = UNSET
        else:
            id = self.id

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "amount": amount,
            }
        )
        if supervisor_pin is not UNSET:
            field_dict["supervisorPin"] = supervisor_pin
        if id is not UNSET:
            field_dict["id"] = id

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_amount(data: object) -> int | RefundRequestAmountType1:
            try:
                if not isinstance(data, str):
                    raise TypeError()
                amount_type_1 = RefundRequestAmountType1(data)

                return amount_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(int | RefundRequestAmountType1, data)

        amount = _parse_amount(d.pop("amount"))

        def _parse_supervisor_pin(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        supervisor_pin = _parse_supervisor_pin(d.pop("supervisorPin", UNSET))

        def _parse_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        id = _parse_id(d.pop("id", UNSET))

        refund_request = cls(
            amount=amount,
            supervisor_pin=supervisor_pin,
            id=id,
        )

        return refund_request
