from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.refund_outcome import RefundOutcome

T = TypeVar("T", bound="RefundDecision")


@_attrs_define
class RefundDecision:
    """
    Attributes:
        outcome (RefundOutcome): as the account at the bank says. done: the money has gone back. refused: it has not,
            and will not
        note (str): who has looked where, and what was seen
    """

    outcome: RefundOutcome
    note: str

    def to_dict(self) -> dict[str, Any]:
        outcome = self.outcome.value

        note = self.note

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "outcome": outcome,
                "note": note,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        outcome = RefundOutcome(d.pop("outcome"))

        note = d.pop("note")

        refund_decision = cls(
            outcome=outcome,
            note=note,
        )

        return refund_decision
