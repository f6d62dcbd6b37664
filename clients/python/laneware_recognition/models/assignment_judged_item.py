from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.sureness import Sureness


T = TypeVar("T", bound="AssignmentJudgedItem")


@_attrs_define
class AssignmentJudgedItem:
    """
    Attributes:
        answer (str):
        before (Sureness):
        after (Sureness):
    """

    answer: str
    before: Sureness
    after: Sureness
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        answer = self.answer

        before = self.before.to_dict()

        after = self.after.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "answer": answer,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.sureness import Sureness

        d = dict(src_dict)
        answer = d.pop("answer")

        before = Sureness.from_dict(d.pop("before"))

        after = Sureness.from_dict(d.pop("after"))

        assignment_judged_item = cls(
            answer=answer,
            before=before,
            after=after,
        )

        assignment_judged_item.additional_properties = d
        return assignment_judged_item

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
