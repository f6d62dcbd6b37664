from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="WantedMaster")


@_attrs_define
class WantedMaster:
    """both where they are left out

    Attributes:
        upload (bool | Unset): whether this device shares its own templates
        download (bool | Unset): whether it takes those of others
    """

    upload: bool | Unset = UNSET
    download: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        upload = self.upload

        download = self.download

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if upload is not UNSET:
            field_dict["upload"] = upload
        if download is not UNSET:
            field_dict["download"] = download

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        upload = d.pop("upload", UNSET)

        download = d.pop("download", UNSET)

        wanted_master = cls(
            upload=upload,
            download=download,
        )

        return wanted_master
