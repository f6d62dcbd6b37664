from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="NewBackup")


@_attrs_define
class NewBackup:
    """
    Attributes:
        passphrase (str): opens the file again, and nothing else does: whoever loses it has no backup
    """

    passphrase: str

    def to_dict(self) -> dict[str, Any]:
        passphrase = self.passphrase

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "passphrase": passphrase,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        passphrase = d.pop("passphrase")

        new_backup = cls(
            passphrase=passphrase,
        )

        return new_backup
