from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="WantedWipe")


@_attrs_define
class WantedWipe:
    """
    Attributes:
        master (str): `master` of `GET /v1/store`, as a person has typed it
    """

    master: str

    def to_dict(self) -> dict[str, Any]:
        master = self.master

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "master": master,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        master = d.pop("master")

        wanted_wipe = cls(
            master=master,
        )

        return wanted_wipe
