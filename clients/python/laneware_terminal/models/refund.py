from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.refund_outcome import RefundOutcome
from ..models.refund_state import RefundState

T = TypeVar("T", bound="Refund")


@_attrs_define
class Refund:
    """a refund

    Attributes:
        id (str): the till's id of the refund
        payment (str): `id` of the payment
        amount (int): kopecks
        state (RefundState): done: the money has gone back, or will for certain. refused: nothing has gone back by it;
            the amount is free again, for another id. pending: the bank has taken it. asked, sent, unknown: it may have gone
            back, and may not: the device goes on asking the bank; the same call with the same id tells, and never refunds
            twice
        bank_id (None | str): what the bank calls it
        reason (None | str): the bank's words, or why it has not answered
        created_at (datetime.datetime): when it was asked for, UTC
        ended_at (datetime.datetime | None): when it was done or refused, UTC
        decided (None | RefundOutcome): what a person has decided
        decided_at (datetime.datetime | None): when a person has decided it, UTC
        note (None | str): of the person who has decided it
        told (None | RefundState): what the bank had told of it before a person decided, or has told since; null where
            nobody has decided
    """

    id: str
    payment: str
    amount: int
    state: RefundState
    bank_id: None | str
    reason: None | str
    created_at: datetime.datetime
    ended_at: datetime.datetime | None
    decided: None | RefundOutcome
    decided_at: datetime.datetime | None
    note: None | str
    told: None | RefundState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        payment = self.payment

        amount = self.amount

        state = self.state.value

        bank_id: None | str
        bank_id = self.bank_id

        reason: None | str
        reason = self.reason

        created_at = self.created_at.isoformat()

        ended_at: None | str
        if isinstance(self.ended_at, datetime.datetime):
            ended_at = self.ended_at.isoformat()
        else:
            ended_at = self.ended_at

        decided: None | str
        if isinstance(self.decided, RefundOutcome):
            decided = self.decided.value
        else:
            decided = self.decided

        decided_at: None | str
        if isinstance(self.decided_at, datetime.datetime):
            decided_at = self.decided_at.isoformat()
        else:
            decided_at = self.decided_at

        note: None | str
        note = self.note

        told: None | str
        if isinstance(self.told, RefundState):
            told = self.told.value
        else:
            told = self.told

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "payment": payment,
                "amount": amount,
                "state": state,
                "bankId": bank_id,
                "reason": reason,
                "createdAt": created_at,
                "endedAt": ended_at,
                "decided": decided,
                "decidedAt": decided_at,
                "note": note,
                "told": told,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        payment = d.pop("payment")

        amount = d.pop("amount")

        state = RefundState(d.pop("state"))

        def _parse_bank_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        bank_id = _parse_bank_id(d.pop("bankId"))

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        created_at = datetime.datetime.fromisoformat(d.pop("createdAt"))

        def _parse_ended_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                ended_at_type_0 = datetime.datetime.fromisoformat(data)

                return ended_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        ended_at = _parse_ended_at(d.pop("endedAt"))

        def _parse_decided(data: object) -> None | RefundOutcome:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                decided_type_0 = RefundOutcome(data)

                return decided_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RefundOutcome, data)

        decided = _parse_decided(d.pop("decided"))

        def _parse_decided_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                decided_at_type_0 = datetime.datetime.fromisoformat(data)

                return decided_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        decided_at = _parse_decided_at(d.pop("decidedAt"))

        def _parse_note(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        note = _parse_note(d.pop("note"))

        def _parse_told(data: object) -> None | RefundState:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                told_type_0 = RefundState(data)

                return told_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RefundState, data)

        told = _parse_told(d.pop("told"))

        refund = cls(
            id=id,
            payment=payment,
            amount=amount,
            state=state,
            bank_id=bank_id,
            reason=reason,
            created_at=created_at,
            ended_at=ended_at,
            decided=decided,
            decided_at=decided_at,
            note=note,
            told=told,
        )

        refund.additional_properties = d
        return refund

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
