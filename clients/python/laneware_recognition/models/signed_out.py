from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.person import Person

T = TypeVar("T", bound="SignedOut")


@_attrs_define
class SignedOut:
    """
    Attributes:
        was (None | Person): who was signed in; null where nobody was
    """

    was: None | Person
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        was: None | str
        if isinstance(self.was, Person):
            was = self.was.value
        else:
            was = self.was

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "was": was,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_was(data: object) -> None | Person:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                was_type_0 = Person(data)

                return was_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Person, data)

        was = _parse_was(d.pop("was"))

        signed_out = cls(
            was=was,
        )

        signed_out.additional_properties = d
        return signed_out

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
