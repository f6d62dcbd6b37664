from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="FieldForm")


@_attrs_define
class FieldForm:
    """
    Attributes:
        name (str): of the field in a profile
        required (bool):
        secret (bool): it is never told again
        file (bool): it names a file: a path on the device, or what `keepCertificate` answers
        max_length (int):
        choices (list[str]): what it may be; empty: any text
        help_ (str): what it is, in a sentence
    """

    name: str
    required: bool
    secret: bool
    file: bool
    max_length: int
    choices: list[str]
    help_: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        required = self.required

        secret = self.secret

        file = self.file

        max_length = self.max_length

        choices = self.choices

        help_ = self.help_

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "required": required,
                "secret": secret,
                "file": file,
                "maxLength": max_length,
                "choices": choices,
                "help": help_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        required = d.pop("required")

        secret = d.pop("secret")

        file = d.pop("file")

        max_length = d.pop("maxLength")

        choices = cast(list[str], d.pop("choices"))

        help_ = d.pop("help")

        field_form = cls(
            name=name,
            required=required,
            secret=secret,
            file=file,
            max_length=max_length,
            choices=choices,
            help_=help_,
        )

        field_form.additional_properties = d
        return field_form

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
