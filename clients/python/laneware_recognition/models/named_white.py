from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.named_white_colour import NamedWhiteColour
    from ..models.white_place import WhitePlace


T = TypeVar("T", bound="NamedWhite")


@_attrs_define
class NamedWhite:
    """
    Attributes:
        at (datetime.datetime): when it was named, by the clock of the device, UTC
        place (WhitePlace): a white place of the tray, in a frame of 1280×720
        colour (NamedWhiteColour): as the camera saw it then: pictures are brought to the light of that moment
    """

    at: datetime.datetime
    place: WhitePlace
    colour: NamedWhiteColour
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        place = self.place.to_dict()

        colour = self.colour.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "place": place,
                "colour": colour,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.named_white_colour import NamedWhiteColour
        from ..models.white_place import WhitePlace

        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        place = WhitePlace.from_dict(d.pop("place"))

        colour = NamedWhiteColour.from_dict(d.pop("colour"))

        named_white = cls(
            at=at,
            place=place,
            colour=colour,
        )

        named_white.additional_properties = d
        return named_white

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
