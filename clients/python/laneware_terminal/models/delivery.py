from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.delivery_state import DeliveryState

T = TypeVar("T", bound="Delivery")


@_attrs_define
class Delivery:
    """an event that was sent to an address

    Attributes:
        id (int):
        webhook (None | str): null: the address is not configured any more
        url (str): without what stands in its query
        event (int): its number
        type_ (str): of the event
        payment (str): `id` of the payment
        state (DeliveryState): waiting: it is sent again. delivered: it was taken. given-up: it was not taken within a
            day
        attempts (int):
        status (int | None): HTTP status of the last attempt; null where there was no answer
        problem (None | str): why it was not taken at the last attempt
        first_at (datetime.datetime): the first attempt, UTC
        last_at (datetime.datetime): the last attempt, UTC
        again_at (datetime.datetime | None): the next attempt, UTC
    """

    id: int
    webhook: None | str
    url: str
    event: int
    type_: str
    payment: str
    state: DeliveryState
    attempts: int
    status: int | None
    problem: None | str
    first_at: datetime.datetime
    last_at: datetime.datetime
    again_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        webhook: None | str
        webhook = self.webhook

        url = self.url

        event = self.event

        type_ = self.type_

        payment = self.payment

        state = self.state.value

        attempts = self.attempts

        status: int | None
        status = self.status

        problem: None | str
        problem = self.problem

        first_at = self.first_at.isoformat()

        last_at = self.last_at.isoformat()

        again_at: None | str
        if isinstance(self.again_at, datetime.datetime):
            again_at = self.again_at.isoformat()
        else:
            again_at = self.again_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "webhook": webhook,
                "url": url,
                "event": event,
                "type": type_,
                "payment": payment,
                "state": state,
                "attempts": attempts,
                "status": status,
                "problem": problem,
                "firstAt": first_at,
                "lastAt": last_at,
                "againAt": again_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        def _parse_webhook(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        webhook = _parse_webhook(d.pop("webhook"))

        url = d.pop("url")

        event = d.pop("event")

        type_ = d.pop("type")

        payment = d.pop("payment")

        state = DeliveryState(d.pop("state"))

        attempts = d.pop("attempts")

        def _parse_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        first_at = datetime.datetime.fromisoformat(d.pop("firstAt"))

        last_at = datetime.datetime.fromisoformat(d.pop("lastAt"))

        def _parse_again_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                again_at_type_0 = datetime.datetime.fromisoformat(data)

                return again_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        again_at = _parse_again_at(d.pop("againAt"))

        delivery = cls(
            id=id,
            webhook=webhook,
            url=url,
            event=event,
            type_=type_,
            payment=payment,
            state=state,
            attempts=attempts,
            status=status,
            problem=problem,
            first_at=first_at,
            last_at=last_at,
            again_at=again_at,
        )

        delivery.additional_properties = d
        return delivery

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
