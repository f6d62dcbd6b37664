from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Done")


@_attrs_define
class Done:
    """of showQR: the code is on the display; of settings: they are stored. The other fields are there where something must
    be known beside it. Of showQR: `Bank` / `SameCode`, `Unreachable` (whether an earlier payment was paid is not known)
    or `PreviousPaid` (an earlier one was accepted, and no till has read so). Of settings: what is still missing before
    a payment can be shown, such as an address of the bank, or a display that can be opened

        Attributes:
            status (Literal['success']):
            error_category (str | Unset): category of the error table
            error_message (str | Unset): a sentence that says what is wrong and what to do
            error_code (int | Unset): place of the error in its category
    """

    status: Literal["success"]
    error_category: str | Unset = UNSET
    error_message: str | Unset = UNSET
    error_code: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status = self.status

        error_category = self.error_category

        error_message = self.error_message

        error_code = self.error_code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
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
        status = cast(Literal["success"], d.pop("status"))
        if status != "success":
            raise ValueError(f"status must match const 'success', got '{status}'")

        error_category = d.pop("error_category", UNSET)

        error_message = d.pop("error_message", UNSET)

        error_code = d.pop("error_code", UNSET)

        done = cls(
            status=status,
            error_category=error_category,
            error_message=error_message,
            error_code=error_code,
        )

        done.additional_properties = d
        return done

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
