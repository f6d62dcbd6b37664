from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.bank_profiles import BankProfiles
    from ..models.device_connection import DeviceConnection


T = TypeVar("T", bound="Settings")


@_attrs_define
class Settings:
    """all of them: what is left out is set up no more

    Attributes:
        bank_profile (str): the profile in use: a key of bankProfiles
        bank_profiles (BankProfiles): profiles by their names: objects with a bankName and the fields of that bank. Only
            the one in use is judged
        device_connection (DeviceConnection): the display
    """

    bank_profile: str
    bank_profiles: BankProfiles
    device_connection: DeviceConnection
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bank_profile = self.bank_profile

        bank_profiles = self.bank_profiles.to_dict()

        device_connection = self.device_connection.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bankProfile": bank_profile,
                "bankProfiles": bank_profiles,
                "deviceConnection": device_connection,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bank_profiles import BankProfiles
        from ..models.device_connection import DeviceConnection

        d = dict(src_dict)
        bank_profile = d.pop("bankProfile")

        bank_profiles = BankProfiles.from_dict(d.pop("bankProfiles"))

        device_connection = DeviceConnection.from_dict(d.pop("deviceConnection"))

        settings = cls(
            bank_profile=bank_profile,
            bank_profiles=bank_profiles,
            device_connection=device_connection,
        )

        settings.additional_properties = d
        return settings

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
