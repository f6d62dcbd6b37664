from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.token_role import TokenRole

T = TypeVar("T", bound="TokenKept")


@_attrs_define
class TokenKept:
    """
    Attributes:
        role (TokenRole): whose token it is
        made (bool): whether one was made on the device
        configured (bool): whether the configuration names one
    """

    role: TokenRole
    made: bool
    configured: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        role = self.role.value

        made = self.made

        configured = self.configured

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "role": role,
                "made": made,
                "configured": configured,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        role = TokenRole(d.pop("role"))

        made = d.pop("made")

        configured = d.pop("configured")

        token_kept = cls(
            role=role,
            made=made,
            configured=configured,
        )

        token_kept.additional_properties = d
        return token_kept

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
