from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="ConsoleStateCameraType0")


@_attrs_define
class ConsoleStateCameraType0:
    """
    Attributes:
        seen_share (float | None): of the shorter side of the recognition area, what the model sees; null: not known
    """

    seen_share: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        seen_share: float | None
        seen_share = self.seen_share

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "seenShare": seen_share,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_seen_share(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        seen_share = _parse_seen_share(d.pop("seenShare"))

        console_state_camera_type_0 = cls(
            seen_share=seen_share,
        )

        console_state_camera_type_0.additional_properties = d
        return console_state_camera_type_0

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
