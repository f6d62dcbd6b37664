from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.speed import Speed

T = TypeVar("T", bound="WantedSpeed")


@_attrs_define
class WantedSpeed:
    """
    Attributes:
        speed (Speed): how much work one recognition may be
    """

    speed: Speed

    def to_dict(self) -> dict[str, Any]:
        speed = self.speed.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "speed": speed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        speed = Speed(d.pop("speed"))

        wanted_speed = cls(
            speed=speed,
        )

        return wanted_speed
