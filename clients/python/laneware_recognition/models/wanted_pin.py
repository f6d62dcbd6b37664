from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="WantedPin")


@_attrs_define
class WantedPin:
    """
    Attributes:
        pin (str): 4 to 10 digits
    """

    pin: str

    def to_dict(self) -> dict[str, Any]:
        pin = self.pin

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "pin": pin,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        pin = d.pop("pin")

        wanted_pin = cls(
            pin=pin,
        )

        return wanted_pin
