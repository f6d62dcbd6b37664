from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.dynamic_qr_status_status import DynamicQRStatusStatus
from ..models.payment_state import PaymentState
from ..types import UNSET, Unset

T = TypeVar("T", bound="DynamicQRStatus")


@_attrs_define
class DynamicQRStatus:
    """state of the last dynamic QR transaction

    Attributes:
        status (DynamicQRStatusStatus):
        dynamic_qr_status (PaymentState): of the last call. PENDING: ask again. ACCEPTED: paid, for good. REJECTED,
            CANCELED, ERROR: not paid, as far as the bank has told; the other fields say why it is ERROR, and of PENDING why
            the bank does not tell. STATIC: a fixed code is shown, of which no bank tells. EMPTY: none yet
        error_category (str | Unset): category of the error table
        error_message (str | Unset): a sentence that says what is wrong and what to do
        error_code (int | Unset): place of the error in its category
    """

    status: DynamicQRStatusStatus
    dynamic_qr_status: PaymentState
    error_category: str | Unset = UNSET
    error_message: str | Unset = UNSET
    error_code: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status.value

        dynamic_qr_status = self.dynamic_qr_status.value

        error_category = self.error_category

        error_message = self.error_message

        error_code = self.error_code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "dynamicQRStatus": dynamic_qr_status,
            }
        )
        if error_category is not UNSET:
            field_dict["error_category"] = error_category
        if error_message is not UNSET:
            field_dict["error_message"] = error_message
        if error_code is not UNSET:
            field_dict["error_code"] = error_code

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        status = DynamicQRStatusStatus(d.pop("status"))

        dynamic_qr_status = PaymentState(d.pop("dynamicQRStatus"))

        error_category = d.pop("error_category", UNSET)

        error_message = d.pop("error_message", UNSET)

        error_code = d.pop("error_code", UNSET)

        dynamic_qr_status = cls(
            status=status,
            dynamic_qr_status=dynamic_qr_status,
            error_category=error_category,
            error_message=error_message,
            error_code=error_code,
        )

        dynamic_qr_status.additional_properties = d
        return dynamic_qr_status

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
