from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="WantedStore")


@_attrs_define
class WantedStore:
    """
    Attributes:
        host (str): address or host name of the master in the network
        code (str): pairing code, as the master shows it
        port (int | Unset): of the master; 7443 where it is left out
        upload (bool | Unset): whether this device shares its own templates
        download (bool | Unset): whether it takes those of others
    """

    host: str
    code: str
    port: int | Unset = UNSET
    upload: bool | Unset = UNSET
    download: bool | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        host = self.host

        code = self.code

        port = self.port

        upload = self.upload

        download = self.download

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "host": host,
                "code": code,
            }
        )
        if port is not UNSET:
            field_dict["port"] = port
        if upload is not UNSET:
            field_dict["upload"] = upload
        if download is not UNSET:
            field_dict["download"] = download

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        host = d.pop("host")

        code = d.pop("code")

        port = d.pop("port", UNSET)

        upload = d.pop("upload", UNSET)

        download = d.pop("download", UNSET)

        wanted_store = cls(
            host=host,
            code=code,
            port=port,
            upload=upload,
            download=download,
        )

        return wanted_store
