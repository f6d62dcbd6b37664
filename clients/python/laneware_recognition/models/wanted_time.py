from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="WantedTime")


@_attrs_define
class WantedTime:
    """
    Attributes:
        sec (int): seconds since 1970; from the build of this release to 20 years after it
        usec (int): microseconds beside them
    """

    sec: int
    usec: int

    def to_dict(self) -> dict[str, Any]:
        sec = self.sec

        usec = self.usec

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "sec": sec,
                "usec": usec,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sec = d.pop("sec")

        usec = d.pop("usec")

        wanted_time = cls(
            sec=sec,
            usec=usec,
        )

        return wanted_time
