from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_ranks import ItemRanks


T = TypeVar("T", bound="Ranks")


@_attrs_define
class Ranks:
    """
    Attributes:
        code (Literal[0]):
        data (ItemRanks): of all confirmations in those days, and by item
    """

    code: Literal[0]
    data: ItemRanks
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        data = self.data.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.item_ranks import ItemRanks

        d = dict(src_dict)
        code = cast(Literal[0], d.pop("code"))
        if code != 0:
            raise ValueError(f"code must match const 0, got '{code}'")

        data = ItemRanks.from_dict(d.pop("data"))

        ranks = cls(
            code=code,
            data=data,
        )

        ranks.additional_properties = d
        return ranks

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
