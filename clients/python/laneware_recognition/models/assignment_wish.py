from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="AssignmentWish")


@_attrs_define
class AssignmentWish:
    """
    Attributes:
        item (None | str): what they were; null: nothing to learn from
        answers (list[str]): of the list
    """

    item: None | str
    answers: list[str]

    def to_dict(self) -> dict[str, Any]:
        item: None | str
        item = self.item

        answers = self.answers

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "item": item,
                "answers": answers,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_item(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        item = _parse_item(d.pop("item"))

        answers = cast(list[str], d.pop("answers"))

        assignment_wish = cls(
            item=item,
            answers=answers,
        )

        return assignment_wish
