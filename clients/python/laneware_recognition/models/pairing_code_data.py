from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.pairing_picture import PairingPicture


T = TypeVar("T", bound="PairingCodeData")


@_attrs_define
class PairingCodeData:
    """
    Attributes:
        pairing_code (str): to be given to slaves; any number of them may use it
        seconds (int): how long it is valid
        qr (PairingPicture): the code and the address of this master, to be held before the camera of the device that
            joins
    """

    pairing_code: str
    seconds: int
    qr: PairingPicture
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pairing_code = self.pairing_code

        seconds = self.seconds

        qr = self.qr.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pairingCode": pairing_code,
                "seconds": seconds,
                "qr": qr,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.pairing_picture import PairingPicture

        d = dict(src_dict)
        pairing_code = d.pop("pairingCode")

        seconds = d.pop("seconds")

        qr = PairingPicture.from_dict(d.pop("qr"))

        pairing_code_data = cls(
            pairing_code=pairing_code,
            seconds=seconds,
            qr=qr,
        )

        pairing_code_data.additional_properties = d
        return pairing_code_data

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
