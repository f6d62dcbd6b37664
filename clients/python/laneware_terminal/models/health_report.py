from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.part_state import PartState

if TYPE_CHECKING:
    from ..models.part_health import PartHealth
    from ..models.ports import Ports


T = TypeVar("T", bound="HealthReport")


@_attrs_define
class HealthReport:
    """
    Attributes:
        state (PartState):
        version (str):
        serial (str):
        instance (str): of the process: the same on both of its ports, another after each start, and of no other device
        ports (Ports): that the process listens on; a container may be reached by others
        uptime_seconds (float):
        parts (list[PartHealth]):
    """

    state: PartState
    version: str
    serial: str
    instance: str
    ports: Ports
    uptime_seconds: float
    parts: list[PartHealth]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        version = self.version

        serial = self.serial

        instance = self.instance

        ports = self.ports.to_dict()

        uptime_seconds = self.uptime_seconds

        parts = []
        for parts_item_data in self.parts:
            parts_item = parts_item_data.to_dict()
            parts.append(parts_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
                "version": version,
                "serial": serial,
                "instance": instance,
                "ports": ports,
                "uptimeSeconds": uptime_seconds,
                "parts": parts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.part_health import PartHealth
        from ..models.ports import Ports

        d = dict(src_dict)
        state = PartState(d.pop("state"))

        version = d.pop("version")

        serial = d.pop("serial")

        instance = d.pop("instance")

        ports = Ports.from_dict(d.pop("ports"))

        uptime_seconds = d.pop("uptimeSeconds")

        parts = []
        _parts = d.pop("parts")
        for parts_item_data in _parts:
            parts_item = PartHealth.from_dict(parts_item_data)

            parts.append(parts_item)

        health_report = cls(
            state=state,
            version=version,
            serial=serial,
            instance=instance,
            ports=ports,
            uptime_seconds=uptime_seconds,
            parts=parts,
        )

        health_report.additional_properties = d
        return health_report

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
