from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="StoreDevice")


@_attrs_define
class StoreDevice:
    """
    Attributes:
        serial (str):
        version (str): of its firmware; empty where it has not told
        upload (bool): whether it shares its own templates
        download (bool): whether it takes those of others
        templates (int):
        pending (int): templates that the limit left for its next synchronisation
        silent_ms (int | None): since it synchronised; null: not since the start
        conflict (bool): whether two devices have shown this serial number lately
    """

    serial: str
    version: str
    upload: bool
    download: bool
    templates: int
    pending: int
    silent_ms: int | None
    conflict: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        serial = self.serial

        version = self.version

        upload = self.upload

        download = self.download

        templates = self.templates

        pending = self.pending

        silent_ms: int | None
        silent_ms = self.silent_ms

        conflict = self.conflict

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "serial": serial,
                "version": version,
                "upload": upload,
                "download": download,
                "templates": templates,
                "pending": pending,
                "silentMs": silent_ms,
                "conflict": conflict,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        serial = d.pop("serial")

        version = d.pop("version")

        upload = d.pop("upload")

        download = d.pop("download")

        templates = d.pop("templates")

        pending = d.pop("pending")

        def _parse_silent_ms(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        silent_ms = _parse_silent_ms(d.pop("silentMs"))

        conflict = d.pop("conflict")

        store_device = cls(
            serial=serial,
            version=version,
            upload=upload,
            download=download,
            templates=templates,
            pending=pending,
            silent_ms=silent_ms,
            conflict=conflict,
        )

        store_device.additional_properties = d
        return store_device

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
