from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.sync_role import SyncRole

if TYPE_CHECKING:
    from ..models.sync_status_data_devices_item import SyncStatusDataDevicesItem


T = TypeVar("T", bound="SyncStatusData")


@_attrs_define
class SyncStatusData:
    """
    Attributes:
        role (SyncRole):
        paired (bool): false: a slave that waits to be paired
        master_sn (str): empty where it is not known
        problem (None | str): why it does not work; null when it does
        last_success (int | None): of the last synchronisation, milliseconds since 1970
        lag (int | None): milliseconds since then
        pending (int): templates that the limit left for the next synchronisation
        devices (list[SyncStatusDataDevicesItem]): of a master: every device of its store, itself first
    """

    role: SyncRole
    paired: bool
    master_sn: str
    problem: None | str
    last_success: int | None
    lag: int | None
    pending: int
    devices: list[SyncStatusDataDevicesItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        role = self.role.value

        paired = self.paired

        master_sn = self.master_sn

        problem: None | str
        problem = self.problem

        last_success: int | None
        last_success = self.last_success

        lag: int | None
        lag = self.lag

        pending = self.pending

        devices = []
        for devices_item_data in self.devices:
            devices_item = devices_item_data.to_dict()
            devices.append(devices_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "role": role,
                "paired": paired,
                "masterSN": master_sn,
                "problem": problem,
                "lastSuccess": last_success,
                "lag": lag,
                "pending": pending,
                "devices": devices,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.sync_status_data_devices_item import SyncStatusDataDevicesItem

        d = dict(src_dict)
        role = SyncRole(d.pop("role"))

        paired = d.pop("paired")

        master_sn = d.pop("masterSN")

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        def _parse_last_success(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        last_success = _parse_last_success(d.pop("lastSuccess"))

        def _parse_lag(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        lag = _parse_lag(d.pop("lag"))

        pending = d.pop("pending")

        devices = []
        _devices = d.pop("devices")
        for devices_item_data in _devices:
            devices_item = SyncStatusDataDevicesItem.from_dict(devices_item_data)

            devices.append(devices_item)

        sync_status_data = cls(
            role=role,
            paired=paired,
            master_sn=master_sn,
            problem=problem,
            last_success=last_success,
            lag=lag,
            pending=pending,
            devices=devices,
        )

        sync_status_data.additional_properties = d
        return sync_status_data

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
