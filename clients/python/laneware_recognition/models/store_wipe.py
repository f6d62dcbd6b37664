from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="StoreWipe")


@_attrs_define
class StoreWipe:
    """how far the deletion of everything is

    Attributes:
        id (str):
        devices (list[str]): serial numbers of those that were of the store then: they forget
        done (list[str]): those of them that have forgotten everything
    """

    id: str
    devices: list[str]
    done: list[str]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        devices = self.devices

        done = self.done

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "devices": devices,
                "done": done,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        devices = cast(list[str], d.pop("devices"))

        done = cast(list[str], d.pop("done"))

        store_wipe = cls(
            id=id,
            devices=devices,
            done=done,
        )

        store_wipe.additional_properties = d
        return store_wipe

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
