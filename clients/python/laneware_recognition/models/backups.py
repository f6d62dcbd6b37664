from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.backups_last_type_0 import BackupsLastType0


T = TypeVar("T", bound="Backups")


@_attrs_define
class Backups:
    """
    Attributes:
        min_passphrase (int): letters that a passphrase has at least
        ready (bool): whether a backup waits for the next start
        last (BackupsLastType0 | None): the last one that was put back; null where none was
    """

    min_passphrase: int
    ready: bool
    last: BackupsLastType0 | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.backups_last_type_0 import BackupsLastType0

        min_passphrase = self.min_passphrase

        ready = self.ready

        last: dict[str, Any] | None
        if isinstance(self.last, BackupsLastType0):
            last = self.last.to_dict()
        else:
            last = self.last

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "minPassphrase": min_passphrase,
                "ready": ready,
                "last": last,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.backups_last_type_0 import BackupsLastType0

        d = dict(src_dict)
        min_passphrase = d.pop("minPassphrase")

        ready = d.pop("ready")

        def _parse_last(data: object) -> BackupsLastType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                last_type_0 = BackupsLastType0.from_dict(data)

                return last_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(BackupsLastType0 | None, data)

        last = _parse_last(d.pop("last"))

        backups = cls(
            min_passphrase=min_passphrase,
            ready=ready,
            last=last,
        )

        backups.additional_properties = d
        return backups

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
