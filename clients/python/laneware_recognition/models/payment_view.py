from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.payment_state import PaymentState

if TYPE_CHECKING:
    from ..models.payment_failure import PaymentFailure


T = TypeVar("T", bound="PaymentView")


@_attrs_define
class PaymentView:
    """
    Attributes:
        order_id (str):
        amount (int): kopecks
        purpose (None | str): what it is for
        bank (str):
        state (PaymentState): how it stands
        refunded (int): kopecks that have gone back
        late (bool): accepted late or unheard, and nobody has looked into it yet
        awaited (bool): a till waits for its outcome: it has neither hung up nor cleared the display
        failure (None | PaymentFailure): why it failed
        created_at (str): ISO 8601, UTC
        seen (bool): a customer may have seen its code; before that the bank is being asked
        on_display (bool): its code is what the customer sees
        left_ms (int | None): how long an open one can still be paid
        link (None | str): the payer's page of the sandbox bank, while it is open
    """

    order_id: str
    amount: int
    purpose: None | str
    bank: str
    state: PaymentState
    refunded: int
    late: bool
    awaited: bool
    failure: None | PaymentFailure
    created_at: str
    seen: bool
    on_display: bool
    left_ms: int | None
    link: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.payment_failure import PaymentFailure

        order_id = self.order_id

        amount = self.amount

        purpose: None | str
        purpose = self.purpose

        bank = self.bank

        state = self.state.value

        refunded = self.refunded

        late = self.late

        awaited = self.awaited

        failure: dict[str, Any] | None
        if isinstance(self.failure, PaymentFailure):
            failure = self.failure.to_dict()
        else:
            failure = self.failure

        created_at = self.created_at

        seen = self.seen

        on_display = self.on_display

        left_ms: int | None
        left_ms = self.left_ms

        link: None | str
        link = self.link

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "orderId": order_id,
                "amount": amount,
                "purpose": purpose,
                "bank": bank,
                "state": state,
                "refunded": refunded,
                "late": late,
                "awaited": awaited,
                "failure": failure,
                "createdAt": created_at,
                "seen": seen,
                "onDisplay": on_display,
                "leftMs": left_ms,
                "link": link,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment_failure import PaymentFailure

        d = dict(src_dict)
        order_id = d.pop("orderId")

        amount = d.pop("amount")

        def _parse_purpose(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        purpose = _parse_purpose(d.pop("purpose"))

        bank = d.pop("bank")

        state = PaymentState(d.pop("state"))

        refunded = d.pop("refunded")

        late = d.pop("late")

        awaited = d.pop("awaited")

        def _parse_failure(data: object) -> None | PaymentFailure:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                failure_type_0 = PaymentFailure.from_dict(data)

                return failure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PaymentFailure, data)

        failure = _parse_failure(d.pop("failure"))

        created_at = d.pop("createdAt")

        seen = d.pop("seen")

        on_display = d.pop("onDisplay")

        def _parse_left_ms(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        left_ms = _parse_left_ms(d.pop("leftMs"))

        def _parse_link(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        link = _parse_link(d.pop("link"))

        payment_view = cls(
            order_id=order_id,
            amount=amount,
            purpose=purpose,
            bank=bank,
            state=state,
            refunded=refunded,
            late=late,
            awaited=awaited,
            failure=failure,
            created_at=created_at,
            seen=seen,
            on_display=on_display,
            left_ms=left_ms,
            link=link,
        )

        payment_view.additional_properties = d
        return payment_view

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
