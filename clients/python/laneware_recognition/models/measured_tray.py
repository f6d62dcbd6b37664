from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.measured_tray_picture import MeasuredTrayPicture
    from ..models.measured_tray_pixels_per_cm import MeasuredTrayPixelsPerCm
    from ..models.recognition_area import RecognitionArea


T = TypeVar("T", bound="MeasuredTray")


@_attrs_define
class MeasuredTray:
    """
    Attributes:
        at (datetime.datetime): when, by the clock of the device, UTC
        pixels_per_cm (MeasuredTrayPixelsPerCm): pixels to a centimetre of the tray, in the middle of the area
        uneven_percent (float): by how many per cent the same thing is seen longer at one end of the area than at
            another: 0 of a camera that looks straight down. Sizes are told with it taken out
        ruler_mm (float): how long the line on the print was said to be
        area (RecognitionArea): recognition area, in the coordinates of a frame of 1280×720
        picture (MeasuredTrayPicture): of the camera, in its own pixels: it holds for pictures of these sides and for
            that area
    """

    at: datetime.datetime
    pixels_per_cm: MeasuredTrayPixelsPerCm
    uneven_percent: float
    ruler_mm: float
    area: RecognitionArea
    picture: MeasuredTrayPicture
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        at = self.at.isoformat()

        pixels_per_cm = self.pixels_per_cm.to_dict()

        uneven_percent = self.uneven_percent

        ruler_mm = self.ruler_mm

        area = self.area.to_dict()

        picture = self.picture.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "at": at,
                "pixelsPerCm": pixels_per_cm,
                "unevenPercent": uneven_percent,
                "rulerMm": ruler_mm,
                "area": area,
                "picture": picture,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.measured_tray_picture import MeasuredTrayPicture
        from ..models.measured_tray_pixels_per_cm import MeasuredTrayPixelsPerCm
        from ..models.recognition_area import RecognitionArea

        d = dict(src_dict)
        at = datetime.datetime.fromisoformat(d.pop("at"))

        pixels_per_cm = MeasuredTrayPixelsPerCm.from_dict(d.pop("pixelsPerCm"))

        uneven_percent = d.pop("unevenPercent")

        ruler_mm = d.pop("rulerMm")

        area = RecognitionArea.from_dict(d.pop("area"))

        picture = MeasuredTrayPicture.from_dict(d.pop("picture"))

        measured_tray = cls(
            at=at,
            pixels_per_cm=pixels_per_cm,
            uneven_percent=uneven_percent,
            ruler_mm=ruler_mm,
            area=area,
            picture=picture,
        )

        measured_tray.additional_properties = d
        return measured_tray

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
