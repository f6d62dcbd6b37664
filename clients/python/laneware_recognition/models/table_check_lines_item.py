from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_entry import ItemEntry


T = TypeVar("T", bound="TableCheckLinesItem")


@_attrs_define
class TableCheckLinesItem:
    """
    Attributes:
        line (int):
        entry (ItemEntry): fields that are left out are not changed
    """

    line: int
    entry: ItemEntry
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        line = self.line

        entry = self.entry.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "line": line,
                "entry": entry,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.item_entry import ItemEntry

        d = dict(src_dict)
        line = d.pop("line")

        entry = ItemEntry.from_dict(d.pop("entry"))

        table_check_lines_item = cls(
            line=line,
            entry=entry,
        )

        table_check_lines_item.additional_properties = d
        return table_check_lines_item

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
