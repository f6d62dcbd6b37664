from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.bank_profiles import BankProfiles
    from ..models.device_connection import DeviceConnection


T = TypeVar("T", bound="SettingsToSet")


@_attrs_define
class SettingsToSet:
    """
    Attributes:
        bank_profile (str): the profile in use: a key of bankProfiles
        bank_profiles (BankProfiles): profiles by their names: objects with a bankName and the fields of that bank. Only
            the one in use is judged
        device_connection (DeviceConnection): the display
    """

    bank_profile: str
    bank_profiles: BankProfiles
    device_connection: DeviceConnection

    def to_dict(self) -> dict[str, Any]:
        bank_profile = self.bank_profile

        bank_profiles = self.bank_profiles.to_dict()

        device_connection = self.device_connection.to_dict()

        field_dict: dict[str, Any] = {}

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

        settings_to_set = cls(
            bank_profile=bank_profile,
            bank_profiles=bank_profiles,
            device_connection=device_connection,
        )

        return settings_to_set
