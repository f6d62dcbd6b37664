from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CurrentExtraInfoData")


@_attrs_define
class CurrentExtraInfoData:
    """
    Attributes:
        info (str): what the store tells the device about itself, kept as sent
    """

    info: str

    def to_dict(self) -> dict[str, Any]:
        info = self.info

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "info": info,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        info = d.pop("info")

        current_extra_info_data = cls(
            info=info,
        )

        return current_extra_info_data
