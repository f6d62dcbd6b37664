from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from .. import types
from ..types import UNSET, File, Unset

T = TypeVar("T", bound="RestoreForm")


@_attrs_define
class RestoreForm:
    """
    Attributes:
        passphrase (str): that it was sealed with; before the file
        file (File): the backup; the last field
        over_newer_payments (None | str | Unset):
    """

    passphrase: str
    file: File
    over_newer_payments: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        passphrase = self.passphrase

        file = self.file.to_tuple()

        over_newer_payments: None | str | Unset
        if isinstance(self.over_newer_payments, Unset):
            over_newer_payments = UNSET
        else:
            over_newer_payments = self.over_newer_payments

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "passphrase": passphrase,
                "file": file,
            }
        )
        if over_newer_payments is not UNSET:
            field_dict["overNewerPayments"] = over_newer_payments

        return field_dict

    def to_multipart(self) -> types.RequestFiles:
        files: types.RequestFiles = []

        files.append(
            ("passphrase", (None, str(self.passphrase).encode(), "text/plain"))
        )

        files.append(("file", self.file.to_tuple()))

        if not isinstance(self.over_newer_payments, Unset):
            if isinstance(self.over_newer_payments, str):
                files.append(
                    (
                        "overNewerPayments",
                        (None, str(self.over_newer_payments).encode(), "text/plain"),
                    )
                )
            else:
                files.append(
                    (
                        "overNewerPayments",
                        (None, str(self.over_newer_payments).encode(), "text/plain"),
                    )
                )

        for prop_name, prop in self.additional_properties.items():
            files.append((prop_name, (None, str(prop).encode(), "text/plain")))

        return files

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        passphrase = d.pop("passphrase")

        file = File(payload=BytesIO(d.pop("file")))

        def _parse_over_newer_payments(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        over_newer_payments = _parse_over_newer_payments(
            d.pop("overNewerPayments", UNSET)
        )

        restore_form = cls(
            passphrase=passphrase,
            file=file,
            over_newer_payments=over_newer_payments,
        )

        restore_form.additional_properties = d
        return restore_form

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
