from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.uncertain_answer_now_candidates_item import (
        UncertainAnswerNowCandidatesItem,
    )


T = TypeVar("T", bound="UncertainAnswerNow")


@_attrs_define
class UncertainAnswerNow:
    """what would be answered now, by looks alone

    Attributes:
        certain (bool): whether the first candidate would be told as certain now
        reason (None | str): why it would not be, as recognition tells it; null where it would
        candidates (list[UncertainAnswerNowCandidatesItem]): what it looks like, the most similar first
    """

    certain: bool
    reason: None | str
    candidates: list[UncertainAnswerNowCandidatesItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        certain = self.certain

        reason: None | str
        reason = self.reason

        candidates = []
        for candidates_item_data in self.candidates:
            candidates_item = candidates_item_data.to_dict()
            candidates.append(candidates_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "certain": certain,
                "reason": reason,
                "candidates": candidates,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.uncertain_answer_now_candidates_item import (
            UncertainAnswerNowCandidatesItem,
        )

        d = dict(src_dict)
        certain = d.pop("certain")

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        candidates = []
        _candidates = d.pop("candidates")
        for candidates_item_data in _candidates:
            candidates_item = UncertainAnswerNowCandidatesItem.from_dict(
                candidates_item_data
            )

            candidates.append(candidates_item)

        uncertain_answer_now = cls(
            certain=certain,
            reason=reason,
            candidates=candidates,
        )

        uncertain_answer_now.additional_properties = d
        return uncertain_answer_now

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
