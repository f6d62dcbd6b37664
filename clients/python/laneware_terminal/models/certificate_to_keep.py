from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CertificateToKeep")


@_attrs_define
class CertificateToKeep:
    """
    Attributes:
        name (str): of the file, by which a person knows it again
        content (str): the file as Base64, 64 KiB at most: PKCS #12 or PEM
    """

    name: str
    content: str

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        content = self.content

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "content": content,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        name = d.pop("name")

        content = d.pop("content")

        certificate_to_keep = cls(
            name=name,
            content=content,
        )

        return certificate_to_keep
