from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.table_fault_fault import TableFaultFault
from ..types import UNSET, Unset

T = TypeVar("T", bound="TableFault")


@_attrs_define
class TableFault:
    """
    Attributes:
        line (int): in the file, the head included
        fault (TableFaultFault): value: a cell holds what its column (`field`) does not take; twice: the item stands in
            a line before; taken: a barcode of it is that of another item
        detail (str): the same as a sentence
        field (str | Unset): the column at fault
        item (str | Unset): the item that is there twice, or whose barcode it is
        barcode (str | Unset):
    """

    line: int
    fault: TableFaultFault
    detail: str
    field: str | Unset = UNSET
    item: str | Unset = UNSET
    barcode: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        line = self.line

        fault = self.fault.value

        detail = self.detail

        field = self.field

        item = self.item

        barcode = self.barcode

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "line": line,
                "fault": fault,
                "detail": detail,
            }
        )
        if field is not UNSET:
            field_dict["field"] = field
        if item is not UNSET:
            field_dict["item"] = item
        if barcode is not UNSET:
            field_dict["barcode"] = barcode

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        line = d.pop("line")

        fault = TableFaultFault(d.pop("fault"))

        detail = d.pop("detail")

        field = d.pop("field", UNSET)

        item = d.pop("item", UNSET)

        barcode = d.pop("barcode", UNSET)

        table_fault = cls(
            line=line,
            fault=fault,
            detail=detail,
            field=field,
            item=item,
            barcode=barcode,
        )

        table_fault.additional_properties = d
        return table_fault

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
