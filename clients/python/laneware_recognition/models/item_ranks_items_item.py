from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ItemRanksItemsItem")


@_attrs_define
class ItemRanksItemsItem:
    """
    Attributes:
        id (str):
        positions (list[int]): how often the confirmed item stood at rank 1, 2, 3, 4, 5
        none (int): how often it stood further down, was not offered, or none was right
        total (int):
    """

    id: str
    positions: list[int]
    none: int
    total: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        positions = self.positions

        none = self.none

        total = self.total

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "positions": positions,
                "none": none,
                "total": total,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        positions = cast(list[int], d.pop("positions"))

        none = d.pop("none")

        total = d.pop("total")

        item_ranks_items_item = cls(
            id=id,
            positions=positions,
            none=none,
            total=total,
        )

        item_ranks_items_item.additional_properties = d
        return item_ranks_items_item

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
