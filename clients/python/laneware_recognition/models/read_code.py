from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.symbology import Symbology

T = TypeVar("T", bound="ReadCode")


@_attrs_define
class ReadCode:
    """a code that was read: `ean-13` (EAN-13, and UPC-A, which is one with a 0 before it), `ean-8` (EAN-8), `upc-e`
    (UPC-E, told as the number that it stands for), `itf-14` (ITF-14, of a carton), `code-128` (Code 128), `gs1-databar`
    (GS1 DataBar), `qr` (QR), `datamatrix` (DataMatrix)

        Attributes:
            symbology (Symbology):
            text (str): what it says: 128 characters at most, those that are not shown as �
            item (None | str): the item that it belongs to; null: none that is known
    """

    symbology: Symbology
    text: str
    item: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        symbology = self.symbology.value

        text = self.text

        item: None | str
        item = self.item

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "symbology": symbology,
                "text": text,
                "item": item,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        symbology = Symbology(d.pop("symbology"))

        text = d.pop("text")

        def _parse_item(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        item = _parse_item(d.pop("item"))

        read_code = cls(
            symbology=symbology,
            text=text,
            item=item,
        )

        read_code.additional_properties = d
        return read_code

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
