from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Candidate")


@_attrs_define
class Candidate:
    """
    Attributes:
        id (str): of the item
        name (None | str): null where nothing is said of the item under /v1/items
        plu (str): the code that the till sells it under; the id where nothing is said of it
        price (int | None): kopecks
        picture (None | str): path of its picture on this port
        share (float): share of trust over this list; they sum to 1
        similarity (float): how similar it is, -1 to 1
    """

    id: str
    name: None | str
    plu: str
    price: int | None
    picture: None | str
    share: float
    similarity: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name: None | str
        name = self.name

        plu = self.plu

        price: int | None
        price = self.price

        picture: None | str
        picture = self.picture

        share = self.share

        similarity = self.similarity

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "plu": plu,
                "price": price,
                "picture": picture,
                "share": share,
                "similarity": similarity,
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

        def _parse_picture(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        picture = _parse_picture(d.pop("picture"))

        share = d.pop("share")

        similarity = d.pop("similarity")

        candidate = cls(
            id=id,
            name=name,
            plu=plu,
            price=price,
            picture=picture,
            share=share,
            similarity=similarity,
        )

        candidate.additional_properties = d
        return candidate

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
