from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Slave")


@_attrs_define
class Slave:
    """
    Attributes:
        master_ip (str): address or host name of the master in the network
        upload (bool): whether this device shares its own templates
        download (bool): whether it takes those of others
        mastersync_port (int | None | Unset):
        pairing_code (None | str | Unset):
    """

    master_ip: str
    upload: bool
    download: bool
    mastersync_port: int | None | Unset = UNSET
    pairing_code: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        master_ip = self.master_ip

        upload = self.upload

        download = self.download

        mastersync_port: int | None | Unset
        if isinstance(self.mastersync_port, Unset):
            mastersync_port = UNSET
        else:
            mastersync_port = self.mastersync_port

        pairing_code: None | str | Unset
        if isinstance(self.pairing_code, Unset):
            pairing_code = UNSET
        else:
            pairing_code = self.pairing_code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "masterIP": master_ip,
                "upload": upload,
                "download": download,
            }
        )
        if mastersync_port is not UNSET:
            field_dict["mastersyncPort"] = mastersync_port
        if pairing_code is not UNSET:
            field_dict["pairingCode"] = pairing_code

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        master_ip = d.pop("masterIP")

        upload = d.pop("upload")

        download = d.pop("download")

        def _parse_mastersync_port(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        mastersync_port = _parse_mastersync_port(d.pop("mastersyncPort", UNSET))

        def _parse_pairing_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pairing_code = _parse_pairing_code(d.pop("pairingCode", UNSET))

        slave = cls(
            master_ip=master_ip,
            upload=upload,
            download=download,
            mastersync_port=mastersync_port,
            pairing_code=pairing_code,
        )

        slave.additional_properties = d
        return slave

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
