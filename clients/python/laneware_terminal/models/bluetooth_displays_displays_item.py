from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="BluetoothDisplaysDisplaysItem")


@_attrs_define
class BluetoothDisplaysDisplaysItem:
    """
    Attributes:
        address (str): `deviceAddress` of a display
        name (None | str): as it calls itself
        signal (int | None): dBm: the nearer to 0, the nearer it is; null for one that is connected
    """

    address: str
    name: None | str
    signal: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        address = self.address

        name: None | str
        name = self.name

        signal: int | None
        signal = self.signal

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "address": address,
                "name": name,
                "signal": signal,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        address = d.pop("address")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        def _parse_signal(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        signal = _parse_signal(d.pop("signal"))

        bluetooth_displays_displays_item = cls(
            address=address,
            name=name,
            signal=signal,
        )

        bluetooth_displays_displays_item.additional_properties = d
        return bluetooth_displays_displays_item

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
