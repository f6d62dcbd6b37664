from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="LookMeasures")


@_attrs_define
class LookMeasures:
    """
    Attributes:
        highlights (float): brightness that one tenth of the pixels reach, 0 to 255
        glare (float): share of the pixels that are burnt out, 0 to 1
        blur (float | None): 0 sharp to 1 blurred; null where there is nothing to see
    """

    highlights: float
    glare: float
    blur: float | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        highlights = self.highlights

        glare = self.glare

        blur: float | None
        blur = self.blur

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "highlights": highlights,
                "glare": glare,
                "blur": blur,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        highlights = d.pop("highlights")

        glare = d.pop("glare")

        def _parse_blur(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        blur = _parse_blur(d.pop("blur"))

        look_measures = cls(
            highlights=highlights,
            glare=glare,
            blur=blur,
        )

        look_measures.additional_properties = d
        return look_measures

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
