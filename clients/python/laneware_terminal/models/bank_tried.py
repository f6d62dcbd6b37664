from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="BankTried")


@_attrs_define
class BankTried:
    """the bank is reached, trusted, and takes the credentials

    Attributes:
        bank_name (str):
        asked (bool): false for a bank that is never asked, as a fixed code
        ms (int): how long the bank took
        untried (list[str]): fields of the profile that are sent with a payment alone: only the first payment shows
            whether they are right
    """

    bank_name: str
    asked: bool
    ms: int
    untried: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bank_name = self.bank_name

        asked = self.asked

        ms = self.ms

        untried = self.untried

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bankName": bank_name,
                "asked": asked,
                "ms": ms,
                "untried": untried,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        bank_name = d.pop("bankName")

        asked = d.pop("asked")

        ms = d.pop("ms")

        untried = cast(list[str], d.pop("untried"))

        bank_tried = cls(
            bank_name=bank_name,
            asked=asked,
            ms=ms,
            untried=untried,
        )

        bank_tried.additional_properties = d
        return bank_tried

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
