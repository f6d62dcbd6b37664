from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="TrayBeat")


@_attrs_define
class TrayBeat:
    """
    Attributes:
        id (str): to be sent as `Last-Event-ID`: what comes after it is not missed
        event (Literal['beat']):
        data (str):
    """

    id: str
    event: Literal["beat"]
    data: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        event = self.event

        data = self.data

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "event": event,
                "data": data,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        event = cast(Literal["beat"], d.pop("event"))
        if event != "beat":
            raise ValueError(f"event must match const 'beat', got '{event}'")

        data = d.pop("data")

        tray_beat = cls(
            id=id,
            event=event,
            data=data,
        )

        tray_beat.additional_properties = d
        return tray_beat

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
