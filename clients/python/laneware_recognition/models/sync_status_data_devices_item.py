from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SyncStatusDataDevicesItem")


@_attrs_define
class SyncStatusDataDevicesItem:
    """
    Attributes:
        sn (str):
        version (str):
        upload (bool):
        download (bool):
        templates (int):
        pending (int):
        silent (int | None): milliseconds since it synchronised; null: not since the start
        conflict (bool): whether two devices have shown this serial number lately
    """

    sn: str
    version: str
    upload: bool
    download: bool
    templates: int
    pending: int
    silent: int | None
    conflict: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sn = self.sn

        version = self.version

        upload = self.upload

        download = self.download

        templates = self.templates

        pending = self.pending

        silent: int | None
        silent = self.silent

        conflict = self.conflict

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "sn": sn,
                "version": version,
                "upload": upload,
                "download": download,
                "templates": templates,
                "pending": pending,
                "silent": silent,
                "conflict": conflict,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sn = d.pop("sn")

        version = d.pop("version")

        upload = d.pop("upload")

        download = d.pop("download")

        templates = d.pop("templates")

        pending = d.pop("pending")

        def _parse_silent(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        silent = _parse_silent(d.pop("silent"))

        conflict = d.pop("conflict")

        sync_status_data_devices_item = cls(
            sn=sn,
            version=version,
            upload=upload,
            download=download,
            templates=templates,
            pending=pending,
            silent=silent,
            conflict=conflict,
        )

        sync_status_data_devices_item.additional_properties = d
        return sync_status_data_devices_item

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
