from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="BackupReady")


@_attrs_define
class BackupReady:
    """the backup is whole; its files take their places with the next start

    Attributes:
        version (str): release that has made it
        device (str): serial number of the device that has made it
        made_at (str): when, by its clock (ISO 8601)
        same_board (bool): whether it is the board that puts it back
        unopened (int): secrets that could not be opened when it was made: the settings of the bank are to be sent again
        restarts (bool): whether the device starts anew by itself now, and has the backup then; else whoever has started
            it does so
    """

    version: str
    device: str
    made_at: str
    same_board: bool
    unopened: int
    restarts: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        version = self.version

        device = self.device

        made_at = self.made_at

        same_board = self.same_board

        unopened = self.unopened

        restarts = self.restarts

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "version": version,
                "device": device,
                "madeAt": made_at,
                "sameBoard": same_board,
                "unopened": unopened,
                "restarts": restarts,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        version = d.pop("version")

        device = d.pop("device")

        made_at = d.pop("madeAt")

        same_board = d.pop("sameBoard")

        unopened = d.pop("unopened")

        restarts = d.pop("restarts")

        backup_ready = cls(
            version=version,
            device=device,
            made_at=made_at,
            same_board=same_board,
            unopened=unopened,
            restarts=restarts,
        )

        backup_ready.additional_properties = d
        return backup_ready

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
