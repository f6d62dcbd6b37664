from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.health_reason_about import HealthReasonAbout


T = TypeVar("T", bound="HealthReason")


@_attrs_define
class HealthReason:
    """
    Attributes:
        code (str): which of the things that the device may say; a later release may have more
        about (HealthReasonAbout): names, counts, and times as ISO 8601, by what they are; `detail` is what the system,
            a bank or a library has said, in its own words
    """

    code: str
    about: HealthReasonAbout
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        about = self.about.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "about": about,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.health_reason_about import HealthReasonAbout

        d = dict(src_dict)
        code = d.pop("code")

        about = HealthReasonAbout.from_dict(d.pop("about"))

        health_reason = cls(
            code=code,
            about=about,
        )

        health_reason.additional_properties = d
        return health_reason

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
