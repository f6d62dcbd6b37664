from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.kept_certificate_certificates_item import (
        KeptCertificateCertificatesItem,
    )


T = TypeVar("T", bound="KeptCertificate")


@_attrs_define
class KeptCertificate:
    """
    Attributes:
        path (str): what a field of a profile names it by: `pfxPath`, `certPath`, `keyPath`, `caPath`, …
        certificates (list[KeptCertificateCertificatesItem]): those in the file, in its order; none of PKCS #12, which
            its password opens
        key (bool): a key is in it, as in each PKCS #12
    """

    path: str
    certificates: list[KeptCertificateCertificatesItem]
    key: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        path = self.path

        certificates = []
        for certificates_item_data in self.certificates:
            certificates_item = certificates_item_data.to_dict()
            certificates.append(certificates_item)

        key = self.key

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "path": path,
                "certificates": certificates,
                "key": key,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.kept_certificate_certificates_item import (
            KeptCertificateCertificatesItem,
        )

        d = dict(src_dict)
        path = d.pop("path")

        certificates = []
        _certificates = d.pop("certificates")
        for certificates_item_data in _certificates:
            certificates_item = KeptCertificateCertificatesItem.from_dict(
                certificates_item_data
            )

            certificates.append(certificates_item)

        key = d.pop("key")

        kept_certificate = cls(
            path=path,
            certificates=certificates,
            key=key,
        )

        kept_certificate.additional_properties = d
        return kept_certificate

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
