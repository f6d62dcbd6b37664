from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="FrameOfNow")


@_attrs_define
class FrameOfNow:
    """
    Attributes:
        number (int): counts up: `GET /v1/camera/frame` tells that of its picture
        width (int): pixels
        height (int): pixels
        age_ms (int): milliseconds since it was taken
    """

    number: int
    width: int
    height: int
    age_ms: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        width = self.width

        height = self.height

        age_ms = self.age_ms

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "number": number,
                "width": width,
                "height": height,
                "ageMs": age_ms,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        number = d.pop("number")

        width = d.pop("width")

        height = d.pop("height")

        age_ms = d.pop("ageMs")

        frame_of_now = cls(
            number=number,
            width=width,
            height=height,
            age_ms=age_ms,
        )

        frame_of_now.additional_properties = d
        return frame_of_now

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
