from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.event_type import EventType

T = TypeVar("T", bound="Webhook")


@_attrs_define
class Webhook:
    """an address that is told of events

    Attributes:
        id (str): of the address; it stays the same as long as the address does
        url (str): without what stands in its query
        types (list[EventType] | None): null: all
        told_to (int): number of the event up to which all were delivered or given up
        waiting (int): events after that one, of whatever type
        delivered_at (datetime.datetime | None): when it last took one, UTC
        problem (None | str): why it does not take the next one
        again_at (datetime.datetime | None): when that is sent again, UTC
        given_up (int): events of the last seven days that it has not taken within a day
    """

    id: str
    url: str
    types: list[EventType] | None
    told_to: int
    waiting: int
    delivered_at: datetime.datetime | None
    problem: None | str
    again_at: datetime.datetime | None
    given_up: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        url = self.url

        types: list[str] | None
        if isinstance(self.types, list):
            types = []
            for types_type_0_item_data in self.types:
                types_type_0_item = types_type_0_item_data.value
                types.append(types_type_0_item)

        else:
            types = self.types

        told_to = self.told_to

        waiting = self.waiting

        delivered_at: None | str
        if isinstance(self.delivered_at, datetime.datetime):
            delivered_at = self.delivered_at.isoformat()
        else:
            delivered_at = self.delivered_at

        problem: None | str
        problem = self.problem

        again_at: None | str
        if isinstance(self.again_at, datetime.datetime):
            again_at = self.again_at.isoformat()
        else:
            again_at = self.again_at

        given_up = self.given_up

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "url": url,
                "types": types,
                "toldTo": told_to,
                "waiting": waiting,
                "deliveredAt": delivered_at,
                "problem": problem,
                "againAt": again_at,
                "givenUp": given_up,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        url = d.pop("url")

        def _parse_types(data: object) -> list[EventType] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                types_type_0 = []
                _types_type_0 = data
                for types_type_0_item_data in _types_type_0:
                    types_type_0_item = EventType(types_type_0_item_data)

                    types_type_0.append(types_type_0_item)

                return types_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[EventType] | None, data)

        types = _parse_types(d.pop("types"))

        told_to = d.pop("toldTo")

        waiting = d.pop("waiting")

        def _parse_delivered_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivered_at_type_0 = datetime.datetime.fromisoformat(data)

                return delivered_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        delivered_at = _parse_delivered_at(d.pop("deliveredAt"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

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

        given_up = d.pop("givenUp")

        webhook = cls(
            id=id,
            url=url,
            types=types,
            told_to=told_to,
            waiting=waiting,
            delivered_at=delivered_at,
            problem=problem,
            again_at=again_at,
            given_up=given_up,
        )

        webhook.additional_properties = d
        return webhook

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
