from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.assignment_judged_item import AssignmentJudgedItem


T = TypeVar("T", bound="Assignment")


@_attrs_define
class Assignment:
    """what was said of uncertain answers

    Attributes:
        id (str):
        item (None | str): null: nothing to learn from
        name (None | str): what people call it; null where nobody said
        answers (list[str]): of which it was said
        templates (list[str]): that were made of them, in the same order
        judged (list[AssignmentJudgedItem]): how sure recognition was of each that it is the item, and is with what was
            learned
        of_item (int): templates that the item has now
        left_ms (int): how long it can be taken back
    """

    id: str
    item: None | str
    name: None | str
    answers: list[str]
    templates: list[str]
    judged: list[AssignmentJudgedItem]
    of_item: int
    left_ms: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        item: None | str
        item = self.item

        name: None | str
        name = self.name

        answers = self.answers

        templates = self.templates

        judged = []
        for judged_item_data in self.judged:
            judged_item = judged_item_data.to_dict()
            judged.append(judged_item)

        of_item = self.of_item

        left_ms = self.left_ms

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "item": item,
                "name": name,
                "answers": answers,
                "templates": templates,
                "judged": judged,
                "ofItem": of_item,
                "leftMs": left_ms,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.assignment_judged_item import AssignmentJudgedItem

        d = dict(src_dict)
        id = d.pop("id")

        def _parse_item(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        item = _parse_item(d.pop("item"))

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        answers = cast(list[str], d.pop("answers"))

        templates = cast(list[str], d.pop("templates"))

        judged = []
        _judged = d.pop("judged")
        for judged_item_data in _judged:
            judged_item = AssignmentJudgedItem.from_dict(judged_item_data)

            judged.append(judged_item)

        of_item = d.pop("ofItem")

        left_ms = d.pop("leftMs")

        assignment = cls(
            id=id,
            item=item,
            name=name,
            answers=answers,
            templates=templates,
            judged=judged,
            of_item=of_item,
            left_ms=left_ms,
        )

        assignment.additional_properties = d
        return assignment

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
