from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ResultDataItemsItem")


@_attrs_define
class ResultDataItemsItem:
    """
    Attributes:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        score (float): share of trust over this list; they sum to 1
        similarity (float): how similar the item is, -1 to 1: three quarters the cosine to its mean, one to its nearest
            template
    """

    id: str
    score: float
    similarity: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        score = self.score

        similarity = self.similarity

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "score": score,
                "similarity": similarity,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        score = d.pop("score")

        similarity = d.pop("similarity")

        result_data_items_item = cls(
            id=id,
            score=score,
            similarity=similarity,
        )

        result_data_items_item.additional_properties = d
        return result_data_items_item

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
