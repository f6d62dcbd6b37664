from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="WhitePlace")


@_attrs_define
class WhitePlace:
    """a white place of the tray, in a frame of 1280×720

    Attributes:
        left (float): pixels left of it
        top (float): pixels above it
        width (float): how wide it is, in pixels
        height (float): how high it is, in pixels
    """

    left: float
    top: float
    width: float
    height: float

    def to_dict(self) -> dict[str, Any]:
        left = self.left

        top = self.top

        width = self.width

        height = self.height

        field_dict: dict[str, Any] = {}

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

        white_place = cls(
            left=left,
            top=top,
            width=width,
            height=height,
        )

        return white_place
