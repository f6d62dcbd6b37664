from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="PartOfFrame")


@_attrs_define
class PartOfFrame:
    """
    Attributes:
        left (float): left, in pixels of the frame
        top (float): top, in pixels of the frame
        width (float): width, in pixels of the frame
        height (float): height, in pixels of the frame
    """

    left: float
    top: float
    width: float
    height: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        left = self.left

        top = self.top

        width = self.width

        height = self.height

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "left": left,
                "top": top,
                "width": width,
                "height": height,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        left = d.pop("left")

        top = d.pop("top")

        width = d.pop("width")

        height = d.pop("height")

        part_of_frame = cls(
            left=left,
            top=top,
            width=width,
            height=height,
        )

        part_of_frame.additional_properties = d
        return part_of_frame

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
