from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.bluetooth_displays_displays_item import BluetoothDisplaysDisplaysItem


T = TypeVar("T", bound="BluetoothDisplays")


@_attrs_define
class BluetoothDisplays:
    """what was heard

    Attributes:
        displays (list[BluetoothDisplaysDisplaysItem]): those with a name first, and of these the nearest; not each
            needs to be a display
    """

    displays: list[BluetoothDisplaysDisplaysItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        displays = []
        for displays_item_data in self.displays:
            displays_item = displays_item_data.to_dict()
            displays.append(displays_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "displays": displays,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.bluetooth_displays_displays_item import (
            BluetoothDisplaysDisplaysItem,
        )

        d = dict(src_dict)
        displays = []
        _displays = d.pop("displays")
        for displays_item_data in _displays:
            displays_item = BluetoothDisplaysDisplaysItem.from_dict(displays_item_data)

            displays.append(displays_item)

        bluetooth_displays = cls(
            displays=displays,
        )

        bluetooth_displays.additional_properties = d
        return bluetooth_displays

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
