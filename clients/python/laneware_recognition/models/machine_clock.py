from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.clock_source import ClockSource

T = TypeVar("T", bound="MachineClock")


@_attrs_define
class MachineClock:
    """
    Attributes:
        now (str): what the device takes for the time, ISO 8601
        zone (str): in which its days begin, as `Europe/Moscow`
        offset_minutes (int): of that zone, now, to UTC
        behind_seconds (int): how far the clock of the system is behind what is known; 0 when well
        source (ClockSource): what vouches for it: a time server that has answered, a clock chip with a battery, or
            nothing
    """

    now: str
    zone: str
    offset_minutes: int
    behind_seconds: int
    source: ClockSource
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        now = self.now

        zone = self.zone

        offset_minutes = self.offset_minutes

        behind_seconds = self.behind_seconds

        source = self.source.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "now": now,
                "zone": zone,
                "offsetMinutes": offset_minutes,
                "behindSeconds": behind_seconds,
                "source": source,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        now = d.pop("now")

        zone = d.pop("zone")

        offset_minutes = d.pop("offsetMinutes")

        behind_seconds = d.pop("behindSeconds")

        source = ClockSource(d.pop("source"))

        machine_clock = cls(
            now=now,
            zone=zone,
            offset_minutes=offset_minutes,
            behind_seconds=behind_seconds,
            source=source,
        )

        machine_clock.additional_properties = d
        return machine_clock

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
