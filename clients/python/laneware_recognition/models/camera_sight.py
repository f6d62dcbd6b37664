from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flaw import Flaw
from ..models.tray_as_seen import TrayAsSeen

if TYPE_CHECKING:
    from ..models.camera_sight_things_item import CameraSightThingsItem
    from ..models.frame_of_now import FrameOfNow
    from ..models.look_measures import LookMeasures
    from ..models.part_of_frame import PartOfFrame


T = TypeVar("T", bound="CameraSight")


@_attrs_define
class CameraSight:
    """what the camera sees, and what of it is looked at

    Attributes:
        driver (str): what the configuration calls it
        play (bool): whether its pictures come from a folder or a program, and no camera looks
        frame (FrameOfNow):
        area (PartOfFrame):
        tray (TrayAsSeen):
        learned (bool): whether the empty tray was learned of pictures as these
        things (list[CameraSightThingsItem]): the largest first
        looks (list[PartOfFrame]): what the model is given of the frame, of several things of the largest: at speed
            `normal` a closer look more. May reach beyond the area: there it is given grey. None where the tray is empty or
            no model runs
        sees (float | None): of the side of each look, what the net uses, in the middle of it; null: not known of this
            model
        quality (list[Flaw]): what would explain a bad answer, motion left out: `dark` (hardly any light: is the lamp
            on?), `glare` (a large part is burnt out by light), `blurred` (out of focus, or moved: is the lens clean?),
            `moving` (what lies on the tray still moves), `cut-by-rim` (the rim of the area cuts it: push it towards the
            middle), `hand` (a hand is in the picture)
        measures (LookMeasures | None): of the first look; null where there is none
    """

    driver: str
    play: bool
    frame: FrameOfNow
    area: PartOfFrame
    tray: TrayAsSeen
    learned: bool
    things: list[CameraSightThingsItem]
    looks: list[PartOfFrame]
    sees: float | None
    quality: list[Flaw]
    measures: LookMeasures | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.look_measures import LookMeasures

        driver = self.driver

        play = self.play

        frame = self.frame.to_dict()

        area = self.area.to_dict()

        tray = self.tray.value

        learned = self.learned

        things = []
        for things_item_data in self.things:
            things_item = things_item_data.to_dict()
            things.append(things_item)

        looks = []
        for looks_item_data in self.looks:
            looks_item = looks_item_data.to_dict()
            looks.append(looks_item)

        sees: float | None
        sees = self.sees

        quality = []
        for quality_item_data in self.quality:
            quality_item = quality_item_data.value
            quality.append(quality_item)

        measures: dict[str, Any] | None
        if isinstance(self.measures, LookMeasures):
            measures = self.measures.to_dict()
        else:
            measures = self.measures

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "driver": driver,
                "play": play,
                "frame": frame,
                "area": area,
                "tray": tray,
                "learned": learned,
                "things": things,
                "looks": looks,
                "sees": sees,
                "quality": quality,
                "measures": measures,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.camera_sight_things_item import CameraSightThingsItem
        from ..models.frame_of_now import FrameOfNow
        from ..models.look_measures import LookMeasures
        from ..models.part_of_frame import PartOfFrame

        d = dict(src_dict)
        driver = d.pop("driver")

        play = d.pop("play")

        frame = FrameOfNow.from_dict(d.pop("frame"))

        area = PartOfFrame.from_dict(d.pop("area"))

        tray = TrayAsSeen(d.pop("tray"))

        learned = d.pop("learned")

        things = []
        _things = d.pop("things")
        for things_item_data in _things:
            things_item = CameraSightThingsItem.from_dict(things_item_data)

            things.append(things_item)

        looks = []
        _looks = d.pop("looks")
        for looks_item_data in _looks:
            looks_item = PartOfFrame.from_dict(looks_item_data)

            looks.append(looks_item)

        def _parse_sees(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        sees = _parse_sees(d.pop("sees"))

        quality = []
        _quality = d.pop("quality")
        for quality_item_data in _quality:
            quality_item = Flaw(quality_item_data)

            quality.append(quality_item)

        def _parse_measures(data: object) -> LookMeasures | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                measures_type_0 = LookMeasures.from_dict(data)

                return measures_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(LookMeasures | None, data)

        measures = _parse_measures(d.pop("measures"))

        camera_sight = cls(
            driver=driver,
            play=play,
            frame=frame,
            area=area,
            tray=tray,
            learned=learned,
            things=things,
            looks=looks,
            sees=sees,
            quality=quality,
            measures=measures,
        )

        camera_sight.additional_properties = d
        return camera_sight

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
