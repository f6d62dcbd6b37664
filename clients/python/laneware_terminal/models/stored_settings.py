from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.stored_settings_bank_profiles import StoredSettingsBankProfiles
    from ..models.stored_settings_device_connection import (
        StoredSettingsDeviceConnection,
    )


T = TypeVar("T", bound="StoredSettings")


@_attrs_define
class StoredSettings:
    """as they were sent, secrets masked

    Attributes:
        bank_profile (str): empty until configured
        bank_profiles (StoredSettingsBankProfiles):
        device_connection (StoredSettingsDeviceConnection):
    """

    bank_profile: str
    bank_profiles: StoredSettingsBankProfiles
    device_connection: StoredSettingsDeviceConnection
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
        from ..models.stored_settings_bank_profiles import StoredSettingsBankProfiles
        from ..models.stored_settings_device_connection import (
            StoredSettingsDeviceConnection,
        )

        d = dict(src_dict)
        bank_profile = d.pop("bankProfile")

        bank_profiles = StoredSettingsBankProfiles.from_dict(d.pop("bankProfiles"))

        device_connection = StoredSettingsDeviceConnection.from_dict(
            d.pop("deviceConnection")
        )

        stored_settings = cls(
            bank_profile=bank_profile,
            bank_profiles=bank_profiles,
            device_connection=device_connection,
        )

        stored_settings.additional_properties = d
        return stored_settings

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
