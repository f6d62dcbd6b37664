from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.person import Person
from ..models.signed_in_by import SignedInBy

T = TypeVar("T", bound="Session")


@_attrs_define
class Session:
    """who sits at the page that asks

    Attributes:
        asked (bool): whether a page of this caller must be signed in
        role (None | Person): who is signed in; null where nobody is
        by (None | SignedInBy): with what
        till (None | str): name of the till whose token it was, of `api.tills`
        idle_seconds (int | None): after so long without use the session ends
        pins (bool): whether there are PINs to sign in with
    """

    asked: bool
    role: None | Person
    by: None | SignedInBy
    till: None | str
    idle_seconds: int | None
    pins: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        asked = self.asked

        role: None | str
        if isinstance(self.role, Person):
            role = self.role.value
        else:
            role = self.role

        by: None | str
        if isinstance(self.by, SignedInBy):
            by = self.by.value
        else:
            by = self.by

        till: None | str
        till = self.till

        idle_seconds: int | None
        idle_seconds = self.idle_seconds

        pins = self.pins

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "asked": asked,
                "role": role,
                "by": by,
                "till": till,
                "idleSeconds": idle_seconds,
                "pins": pins,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        asked = d.pop("asked")

        def _parse_role(data: object) -> None | Person:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                role_type_0 = Person(data)

                return role_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Person, data)

        role = _parse_role(d.pop("role"))

        def _parse_by(data: object) -> None | SignedInBy:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                by_type_0 = SignedInBy(data)

                return by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SignedInBy, data)

        by = _parse_by(d.pop("by"))

        def _parse_till(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        till = _parse_till(d.pop("till"))

        def _parse_idle_seconds(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        idle_seconds = _parse_idle_seconds(d.pop("idleSeconds"))

        pins = d.pop("pins")

        session = cls(
            asked=asked,
            role=role,
            by=by,
            till=till,
            idle_seconds=idle_seconds,
            pins=pins,
        )

        session.additional_properties = d
        return session

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
