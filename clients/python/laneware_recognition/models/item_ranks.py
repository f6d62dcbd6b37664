from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_ranks_items_item import ItemRanksItemsItem


T = TypeVar("T", bound="ItemRanks")


@_attrs_define
class ItemRanks:
    """of all confirmations in those days, and by item

    Attributes:
        positions (list[int]): how often the confirmed item stood at rank 1, 2, 3, 4, 5
        none (int): how often it stood further down, was not offered, or none was right
        total (int):
        items (list[ItemRanksItemsItem]):
    """

    positions: list[int]
    none: int
    total: int
    items: list[ItemRanksItemsItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        positions = self.positions

        none = self.none

        total = self.total

        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "positions": positions,
                "none": none,
                "total": total,
                "items": items,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.item_ranks_items_item import ItemRanksItemsItem

        d = dict(src_dict)
        positions = cast(list[int], d.pop("positions"))

        none = d.pop("none")

        total = d.pop("total")

        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ItemRanksItemsItem.from_dict(items_item_data)

            items.append(items_item)

        item_ranks = cls(
            positions=positions,
            none=none,
            total=total,
            items=items,
        )

        item_ranks.additional_properties = d
        return item_ranks

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
