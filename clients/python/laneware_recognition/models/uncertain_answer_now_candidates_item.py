from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="UncertainAnswerNowCandidatesItem")


@_attrs_define
class UncertainAnswerNowCandidatesItem:
    """
    Attributes:
        item (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        name (None | str): what people call it; null where nobody said
        similarity (float): how similar it looks, -1 to 1
    """

    item: str
    name: None | str
    similarity: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        item = self.item

        name: None | str
        name = self.name

        similarity = self.similarity

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "item": item,
                "name": name,
                "similarity": similarity,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        item = d.pop("item")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        similarity = d.pop("similarity")

        uncertain_answer_now_candidates_item = cls(
            item=item,
            name=name,
            similarity=similarity,
        )

        uncertain_answer_now_candidates_item.additional_properties = d
        return uncertain_answer_now_candidates_item

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
