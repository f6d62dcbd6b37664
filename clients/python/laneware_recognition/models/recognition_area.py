from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="RecognitionArea")


@_attrs_define
class RecognitionArea:
    """recognition area, in the coordinates of a frame of 1280×720

    Attributes:
        top (float): pixels above the area
        left (float): pixels left of the area
        height (float): how high the area is, in pixels
        width (float): how wide it is, in pixels
    """

    top: float
    left: float
    height: float
    width: float

    def to_dict(self) -> dict[str, Any]:
        top = self.top

        left = self.left

        height = self.height

        width = self.width

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "top": top,
                "left": left,
                "height": height,
                "width": width,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        top = d.pop("top")

        left = d.pop("left")

        height = d.pop("height")

        width = d.pop("width")

        recognition_area = cls(
            top=top,
            left=left,
            height=height,
            width=width,
        )

        return recognition_area
