from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.table_check_lines_item import TableCheckLinesItem
    from ..models.table_fault import TableFault


T = TypeVar("T", bound="TableCheck")


@_attrs_define
class TableCheck:
    """what an import would do

    Attributes:
        created (int): items that are not there yet
        updated (int): items that are there
        lines (list[TableCheckLinesItem]): the first 50 that can be read
        faults (list[TableFault]): by their lines, the first 100; with any of them the file is refused
        fault_count (int): how many there are in all
    """

    created: int
    updated: int
    lines: list[TableCheckLinesItem]
    faults: list[TableFault]
    fault_count: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        created = self.created

        updated = self.updated

        lines = []
        for lines_item_data in self.lines:
            lines_item = lines_item_data.to_dict()
            lines.append(lines_item)

        faults = []
        for faults_item_data in self.faults:
            faults_item = faults_item_data.to_dict()
            faults.append(faults_item)

        fault_count = self.fault_count

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "created": created,
                "updated": updated,
                "lines": lines,
                "faults": faults,
                "faultCount": fault_count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.table_check_lines_item import TableCheckLinesItem
        from ..models.table_fault import TableFault

        d = dict(src_dict)
        created = d.pop("created")

        updated = d.pop("updated")

        lines = []
        _lines = d.pop("lines")
        for lines_item_data in _lines:
            lines_item = TableCheckLinesItem.from_dict(lines_item_data)

            lines.append(lines_item)

        faults = []
        _faults = d.pop("faults")
        for faults_item_data in _faults:
            faults_item = TableFault.from_dict(faults_item_data)

            faults.append(faults_item)

        fault_count = d.pop("faultCount")

        table_check = cls(
            created=created,
            updated=updated,
            lines=lines,
            faults=faults,
            fault_count=fault_count,
        )

        table_check.additional_properties = d
        return table_check

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
