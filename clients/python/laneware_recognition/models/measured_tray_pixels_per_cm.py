from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MeasuredTrayPixelsPerCm")


@_attrs_define
class MeasuredTrayPixelsPerCm:
    """pixels to a centimetre of the tray, in the middle of the area

    Attributes:
        across (float): to the right, in a frame of 1280×720
        down (float): downwards, in a frame of 1280×720
    """

    across: float
    down: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        across = self.across

        down = self.down

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "across": across,
                "down": down,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        across = d.pop("across")

        down = d.pop("down")

        measured_tray_pixels_per_cm = cls(
            across=across,
            down=down,
        )

        measured_tray_pixels_per_cm.additional_properties = d
        return measured_tray_pixels_per_cm

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
