from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="NamedWhiteColour")


@_attrs_define
class NamedWhiteColour:
    """as the camera saw it then: pictures are brought to the light of that moment

    Attributes:
        red (int): how red, 0 to 255
        green (int): how green, 0 to 255
        blue (int): how blue, 0 to 255
    """

    red: int
    green: int
    blue: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        red = self.red

        green = self.green

        blue = self.blue

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "red": red,
                "green": green,
                "blue": blue,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        red = d.pop("red")

        green = d.pop("green")

        blue = d.pop("blue")

        named_white_colour = cls(
            red=red,
            green=green,
            blue=blue,
        )

        named_white_colour.additional_properties = d
        return named_white_colour

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
