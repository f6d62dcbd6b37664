from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ItemFields")


@_attrs_define
class ItemFields:
    """
    Attributes:
        name (None | str | Unset): what people call it
        plu (None | str | Unset): the code that the till sells it under; the `id` where it is null or left out
        price (int | None | Unset): kopecks, of a piece or a kilogram as the till counts
        barcodes (list[str] | None | Unset): codes that are printed on it, of no other item: 8, 12, 13 or 14 digits with
            their check digit, or any other text; an `id` that is such digits is one by itself
        piece_weight (int | None | Unset): grams of one piece, of what is sold by the piece; null: it is sold by weight,
            or nobody has said
    """

    name: None | str | Unset = UNSET
    plu: None | str | Unset = UNSET
    price: int | None | Unset = UNSET
    barcodes: list[str] | None | Unset = UNSET
    piece_weight: int | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name: None | str | Unset
        if isinstance(self.name, Unset):
            name = UNSET
        else:
            name = self.name

        plu: None | str | Unset
        if isinstance(self.plu, Unset):
            plu = UNSET
        else:
            plu = self.plu

        price: int | None | Unset
        if isinstance(self.price, Unset):
            price = UNSET
        else:
            price = self.price

        barcodes: list[str] | None | Unset
        if isinstance(self.barcodes, Unset):
            barcodes = UNSET
        elif isinstance(self.barcodes, list):
            barcodes = self.barcodes

        else:
            barcodes = self.barcodes

        piece_weight: int | None | Unset
        if isinstance(self.piece_weight, Unset):
            piece_weight = UNSET
        else:
            piece_weight = self.piece_weight

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if plu is not UNSET:
            field_dict["plu"] = plu
        if price is not UNSET:
            field_dict["price"] = price
        if barcodes is not UNSET:
            field_dict["barcodes"] = barcodes
        if piece_weight is not UNSET:
            field_dict["pieceWeight"] = piece_weight

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        name = _parse_name(d.pop("name", UNSET))

        def _parse_plu(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        plu = _parse_plu(d.pop("plu", UNSET))

        def _parse_price(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        price = _parse_price(d.pop("price", UNSET))

        def _parse_barcodes(data: object) -> list[str] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                barcodes_type_0 = cast(list[str], data)

                return barcodes_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[str] | None | Unset, data)

        barcodes = _parse_barcodes(d.pop("barcodes", UNSET))

        def _parse_piece_weight(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        piece_weight = _parse_piece_weight(d.pop("pieceWeight", UNSET))

        item_fields = cls(
            name=name,
            plu=plu,
            price=price,
            barcodes=barcodes,
            piece_weight=piece_weight,
        )

        return item_fields
