from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CertificateToKeep")


@_attrs_define
class CertificateToKeep:
    """
    Attributes:
        name (str): of the file, by which a person knows it again
        content (str): the file as Base64, 64 KiB at most: PKCS #12, PEM, or a certificate or an unlocked key in DER
        field (str | Unset): of a profile, that it is for, as `caPath`: a file that is of no use there is then refused
    """

    name: str
    content: str
    field: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        content = self.content

        field = self.field

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "content": content,
            }
        )
        if field is not UNSET:
            field_dict["field"] = field

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        content = d.pop("content")

        field = d.pop("field", UNSET)

        certificate_to_keep = cls(
            name=name,
            content=content,
            field=field,
        )

        return certificate_to_keep
