from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ConsoleStateCertificateType0")


@_attrs_define
class ConsoleStateCertificateType0:
    """
    Attributes:
        fingerprint (str): SHA-256, as browsers write it: AB:CD:…
        own (bool): made by the device: no authority vouches for it, its fingerprint does
    """

    fingerprint: str
    own: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        fingerprint = self.fingerprint

        own = self.own

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "fingerprint": fingerprint,
                "own": own,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        fingerprint = d.pop("fingerprint")

        own = d.pop("own")

        console_state_certificate_type_0 = cls(
            fingerprint=fingerprint,
            own=own,
        )

        console_state_certificate_type_0.additional_properties = d
        return console_state_certificate_type_0

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
