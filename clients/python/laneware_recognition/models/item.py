from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Item")


@_attrs_define
class Item:
    """an item

    Attributes:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        name (None | str): what people call it
        plu (str): the code that the till sells it under
        price (int | None): kopecks
        barcodes (list[str]): codes that are printed on it
        piece_weight (int | None): grams of one piece; null: sold by weight, or nobody has said
        picture (None | str): path of its picture on this port; null where it has none
        templates (int): templates that were learned of it; 0: it cannot be recognised yet
        created_at (datetime.datetime): when it was first put, UTC
        updated_at (datetime.datetime): when it was changed last, UTC
    """

    id: str
    name: None | str
    plu: str
    price: int | None
    barcodes: list[str]
    piece_weight: int | None
    picture: None | str
    templates: int
    created_at: datetime.datetime
    updated_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name: None | str
        name = self.name

        plu = self.plu

        price: int | None
        price = self.price

        barcodes = self.barcodes

        piece_weight: int | None
        piece_weight = self.piece_weight

        picture: None | str
        picture = self.picture

        templates = self.templates

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "plu": plu,
                "price": price,
                "barcodes": barcodes,
                "pieceWeight": piece_weight,
                "picture": picture,
                "templates": templates,
                "createdAt": created_at,
                "updatedAt": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        plu = d.pop("plu")

        def _parse_price(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        price = _parse_price(d.pop("price"))

        barcodes = cast(list[str], d.pop("barcodes"))

        def _parse_piece_weight(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        piece_weight = _parse_piece_weight(d.pop("pieceWeight"))

        def _parse_picture(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        picture = _parse_picture(d.pop("picture"))

        templates = d.pop("templates")

        created_at = datetime.datetime.fromisoformat(d.pop("createdAt"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updatedAt"))

        item = cls(
            id=id,
            name=name,
            plu=plu,
            price=price,
            barcodes=barcodes,
            piece_weight=piece_weight,
            picture=picture,
            templates=templates,
            created_at=created_at,
            updated_at=updated_at,
        )

        item.additional_properties = d
        return item

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
