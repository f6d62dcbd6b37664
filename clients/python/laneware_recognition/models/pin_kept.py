from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.person import Person

T = TypeVar("T", bound="PinKept")


@_attrs_define
class PinKept:
    """
    Attributes:
        role (Person): cashier: what is done at the lane all day, as with the token of a till; supervisor: the same, and
            answers for refunds above the limits; technician: everything
        set_ (bool): whether there is one
    """

    role: Person
    set_: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        role = self.role.value

        set_ = self.set_

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "role": role,
                "set": set_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        role = Person(d.pop("role"))

        set_ = d.pop("set")

        pin_kept = cls(
            role=role,
            set_=set_,
        )

        pin_kept.additional_properties = d
        return pin_kept

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
