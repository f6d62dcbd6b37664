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
    from ..models.item_counts_data_item import ItemCountsDataItem


T = TypeVar("T", bound="ItemCounts")


@_attrs_define
class ItemCounts:
    """
    Attributes:
        code (Literal[0]):
        data (list[ItemCountsDataItem]):
    """

    code: Literal[0]
    data: list[ItemCountsDataItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        data = []
        for data_item_data in self.data:
            data_item = data_item_data.to_dict()
            data.append(data_item)

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
        from ..models.item_counts_data_item import ItemCountsDataItem

        d = dict(src_dict)
        code = cast(Literal[0], d.pop("code"))
        if code != 0:
            raise ValueError(f"code must match const 0, got '{code}'")

        data = []
        _data = d.pop("data")
        for data_item_data in _data:
            data_item = ItemCountsDataItem.from_dict(data_item_data)

            data.append(data_item)

        item_counts = cls(
            code=code,
            data=data,
        )

        item_counts.additional_properties = d
        return item_counts

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
