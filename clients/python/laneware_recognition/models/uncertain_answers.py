from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.assignment import Assignment
    from ..models.uncertain_answer import UncertainAnswer


T = TypeVar("T", bound="UncertainAnswers")


@_attrs_define
class UncertainAnswers:
    """what recognition asks a person for help with

    Attributes:
        answers (list[UncertainAnswer]): the latest first
        assignments (list[Assignment]): what can be taken back, the latest first
    """

    answers: list[UncertainAnswer]
    assignments: list[Assignment]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        answers = []
        for answers_item_data in self.answers:
            answers_item = answers_item_data.to_dict()
            answers.append(answers_item)

        assignments = []
        for assignments_item_data in self.assignments:
            assignments_item = assignments_item_data.to_dict()
            assignments.append(assignments_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "answers": answers,
                "assignments": assignments,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.assignment import Assignment
        from ..models.uncertain_answer import UncertainAnswer

        d = dict(src_dict)
        answers = []
        _answers = d.pop("answers")
        for answers_item_data in _answers:
            answers_item = UncertainAnswer.from_dict(answers_item_data)

            answers.append(answers_item)

        assignments = []
        _assignments = d.pop("assignments")
        for assignments_item_data in _assignments:
            assignments_item = Assignment.from_dict(assignments_item_data)

            assignments.append(assignments_item)

        uncertain_answers = cls(
            answers=answers,
            assignments=assignments,
        )

        uncertain_answers.additional_properties = d
        return uncertain_answers

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
