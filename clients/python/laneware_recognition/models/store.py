from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sync_role import SyncRole

if TYPE_CHECKING:
    from ..models.store_device import StoreDevice
    from ..models.store_wipe import StoreWipe


T = TypeVar("T", bound="Store")


@_attrs_define
class Store:
    """how this device stands in its store

    Attributes:
        role (SyncRole):
        paired (bool): false: a slave that waits to be paired
        master (str): serial number of the master; empty where it is not known
        address (None | str): of a slave: where its master is
        upload (bool): whether this device shares its own templates
        download (bool): whether it takes those of others
        problem (None | str): why it does not work; null when it does
        last_success (datetime.datetime | None): of the last synchronisation, by the clock of the device
        lag_ms (int | None): milliseconds since then
        pending (int): templates that the limit left for the next synchronisation
        devices (list[StoreDevice]): of a master: every device of its store, itself first
        wipe (None | StoreWipe): of a master: the latest deletion of everything; null where there was none
    """

    role: SyncRole
    paired: bool
    master: str
    address: None | str
    upload: bool
    download: bool
    problem: None | str
    last_success: datetime.datetime | None
    lag_ms: int | None
    pending: int
    devices: list[StoreDevice]
    wipe: None | StoreWipe
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.store_wipe import StoreWipe

        role = self.role.value

        paired = self.paired

        master = self.master

        address: None | str
        address = self.address

        upload = self.upload

        download = self.download

        problem: None | str
        problem = self.problem

        last_success: None | str
        if isinstance(self.last_success, datetime.datetime):
            last_success = self.last_success.isoformat()
        else:
            last_success = self.last_success

        lag_ms: int | None
        lag_ms = self.lag_ms

        pending = self.pending

        devices = []
        for devices_item_data in self.devices:
            devices_item = devices_item_data.to_dict()
            devices.append(devices_item)

        wipe: dict[str, Any] | None
        if isinstance(self.wipe, StoreWipe):
            wipe = self.wipe.to_dict()
        else:
            wipe = self.wipe

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "role": role,
                "paired": paired,
                "master": master,
                "address": address,
                "upload": upload,
                "download": download,
                "problem": problem,
                "lastSuccess": last_success,
                "lagMs": lag_ms,
                "pending": pending,
                "devices": devices,
                "wipe": wipe,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.store_device import StoreDevice
        from ..models.store_wipe import StoreWipe

        d = dict(src_dict)
        role = SyncRole(d.pop("role"))

        paired = d.pop("paired")

        master = d.pop("master")

        def _parse_address(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        address = _parse_address(d.pop("address"))

        upload = d.pop("upload")

        download = d.pop("download")

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        def _parse_last_success(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                last_success_type_0 = datetime.datetime.fromisoformat(data)

                return last_success_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        last_success = _parse_last_success(d.pop("lastSuccess"))

        def _parse_lag_ms(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        lag_ms = _parse_lag_ms(d.pop("lagMs"))

        pending = d.pop("pending")

        devices = []
        _devices = d.pop("devices")
        for devices_item_data in _devices:
            devices_item = StoreDevice.from_dict(devices_item_data)

            devices.append(devices_item)

        def _parse_wipe(data: object) -> None | StoreWipe:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                wipe_type_0 = StoreWipe.from_dict(data)

                return wipe_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | StoreWipe, data)

        wipe = _parse_wipe(d.pop("wipe"))

        store = cls(
            role=role,
            paired=paired,
            master=master,
            address=address,
            upload=upload,
            download=download,
            problem=problem,
            last_success=last_success,
            lag_ms=lag_ms,
            pending=pending,
            devices=devices,
            wipe=wipe,
        )

        store.additional_properties = d
        return store

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
