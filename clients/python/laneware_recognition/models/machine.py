from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.machine_clock import MachineClock
    from ..models.machine_modes import MachineModes
    from ..models.update_state import UpdateState


T = TypeVar("T", bound="Machine")


@_attrs_define
class Machine:
    """what the machine of the device is, and may do

    Attributes:
        name (str): what is typed before a reset: the serial number
        version (str):
        installed_at (None | str): since when this release is installed, ISO 8601
        managed (bool): whether the device may update, restart and reset its machine
        update (None | UpdateState): null on a machine without an updater
        clock (MachineClock):
        modes (MachineModes):
    """

    name: str
    version: str
    installed_at: None | str
    managed: bool
    update: None | UpdateState
    clock: MachineClock
    modes: MachineModes
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.update_state import UpdateState

        name = self.name

        version = self.version

        installed_at: None | str
        installed_at = self.installed_at

        managed = self.managed

        update: dict[str, Any] | None
        if isinstance(self.update, UpdateState):
            update = self.update.to_dict()
        else:
            update = self.update

        clock = self.clock.to_dict()

        modes = self.modes.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "version": version,
                "installedAt": installed_at,
                "managed": managed,
                "update": update,
                "clock": clock,
                "modes": modes,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.machine_clock import MachineClock
        from ..models.machine_modes import MachineModes
        from ..models.update_state import UpdateState

        d = dict(src_dict)
        name = d.pop("name")

        version = d.pop("version")

        def _parse_installed_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        installed_at = _parse_installed_at(d.pop("installedAt"))

        managed = d.pop("managed")

        def _parse_update(data: object) -> None | UpdateState:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                update_type_0 = UpdateState.from_dict(data)

                return update_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UpdateState, data)

        update = _parse_update(d.pop("update"))

        clock = MachineClock.from_dict(d.pop("clock"))

        modes = MachineModes.from_dict(d.pop("modes"))

        machine = cls(
            name=name,
            version=version,
            installed_at=installed_at,
            managed=managed,
            update=update,
            clock=clock,
            modes=modes,
        )

        machine.additional_properties = d
        return machine

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
