from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.named_white import NamedWhite


T = TypeVar("T", bound="WhiteReference")


@_attrs_define
class WhiteReference:
    """the white place; null where none was named, and pictures are taken as they are

    Attributes:
        white (NamedWhite | None):
    """

    white: NamedWhite | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.named_white import NamedWhite

        white: dict[str, Any] | None
        if isinstance(self.white, NamedWhite):
            white = self.white.to_dict()
        else:
            white = self.white

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "white": white,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.named_white import NamedWhite

        d = dict(src_dict)

        def _parse_white(data: object) -> NamedWhite | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                white_type_0 = NamedWhite.from_dict(data)

                return white_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(NamedWhite | None, data)

        white = _parse_white(d.pop("white"))

        white_reference = cls(
            white=white,
        )

        white_reference.additional_properties = d
        return white_reference

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
