from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.deleted_item import DeletedItem


T = TypeVar("T", bound="DeletionProgressData")


@_attrs_define
class DeletionProgressData:
    """
    Attributes:
        id (str): of the latest mark; empty where there is none
        s_ns (list[str]): serial numbers of the devices that have deleted it
        items (list[DeletedItem]): every mark, the latest first
    """

    id: str
    s_ns: list[str]
    items: list[DeletedItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        s_ns = self.s_ns

        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "SNs": s_ns,
                "items": items,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.deleted_item import DeletedItem

        d = dict(src_dict)
        id = d.pop("id")

        s_ns = cast(list[str], d.pop("SNs"))

        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = DeletedItem.from_dict(items_item_data)

            items.append(items_item)

        deletion_progress_data = cls(
            id=id,
            s_ns=s_ns,
            items=items,
        )

        deletion_progress_data.additional_properties = d
        return deletion_progress_data

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
