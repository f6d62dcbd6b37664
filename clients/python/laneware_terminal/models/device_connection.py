from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="DeviceConnection")


@_attrs_define
class DeviceConnection:
    """the display

    Attributes:
        connection_type (str): Serial, BLE or Screen; the spelling is forgiven
        port_name (None | str | Unset):
        device_address (None | str | Unset):
        device_name (None | str | Unset):
    """

    connection_type: str
    port_name: None | str | Unset = UNSET
    device_address: None | str | Unset = UNSET
    device_name: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        connection_type = self.connection_type

        port_name: None | str | Unset
        if isinstance(self.port_name, Unset):
            port_name = UNSET
        else:
            port_name = self.port_name

        device_address: None | str | Unset
        if isinstance(self.device_address, Unset):
            device_address = UNSET
        else:
            device_address = self.device_address

        device_name: None | str | Unset
        if isinstance(self.device_name, Unset):
            device_name = UNSET
        else:
            device_name = self.device_name

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "connectionType": connection_type,
            }
        )
        if port_name is not UNSET:
            field_dict["portName"] = port_name
        if device_address is not UNSET:
            field_dict["deviceAddress"] = device_address
        if device_name is not UNSET:
            field_dict["deviceName"] = device_name

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        connection_type = d.pop("connectionType")

        def _parse_port_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        port_name = _parse_port_name(d.pop("portName", UNSET))

        def _parse_device_address(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        device_address = _parse_device_address(d.pop("deviceAddress", UNSET))

        def _parse_device_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        device_name = _parse_device_name(d.pop("deviceName", UNSET))

        device_connection = cls(
            connection_type=connection_type,
            port_name=port_name,
            device_address=device_address,
            device_name=device_name,
        )

        device_connection.additional_properties = d
        return device_connection

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
