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

T = TypeVar("T", bound="DeletedHere")


@_attrs_define
class DeletedHere:
    """
    Attributes:
        code (Literal[0]):
        data (None):
        msg (str | Unset): that synchronisation brings templates back, and what would not
    """

    code: Literal[0]
    data: None
    msg: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        data = self.data

        msg = self.msg

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "data": data,
            }
        )
        if msg is not UNSET:
            field_dict["msg"] = msg

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = cast(Literal[0], d.pop("code"))
        if code != 0:
            raise ValueError(f"code must match const 0, got '{code}'")

        data = d.pop("data")

        msg = d.pop("msg", UNSET)

        deleted_here = cls(
            code=code,
            data=data,
            msg=msg,
        )

        deleted_here.additional_properties = d
        return deleted_here

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
