from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.part_state import PartState
from ..models.speed_by import SpeedBy
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.gallery_health import GalleryHealth
    from ..models.health_reason import HealthReason


T = TypeVar("T", bound="PartHealth")


@_attrs_define
class PartHealth:
    """
    Attributes:
        part (str):
        state (PartState):
        reason (str): what is wrong and what to do, or what is left out on purpose; empty when all is well
        reasons (list[HealthReason]): the same for a program that has words of its own, one for each sentence of
            `reason`
        driver (str | Unset): of the camera: what the configuration calls it
        speed (str | Unset): of the model: the speed that recognitions take, `normal` or `fast`
        speed_by (SpeedBy | Unset): of the model: whether somebody has set that speed, the device has measured that it
            may take it, or neither, as yet
        look_ms (float | Unset): of the model: milliseconds that one look takes on this board, where it was measured
        gallery (GalleryHealth | Unset): of the model: what is enrolled, and the thresholds that follow from it
    """

    part: str
    state: PartState
    reason: str
    reasons: list[HealthReason]
    driver: str | Unset = UNSET
    speed: str | Unset = UNSET
    speed_by: SpeedBy | Unset = UNSET
    look_ms: float | Unset = UNSET
    gallery: GalleryHealth | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        part = self.part

        state = self.state.value

        reason = self.reason

        reasons = []
        for reasons_item_data in self.reasons:
            reasons_item = reasons_item_data.to_dict()
            reasons.append(reasons_item)

        driver = self.driver

        speed = self.speed

        speed_by: str | Unset = UNSET
        if not isinstance(self.speed_by, Unset):
            speed_by = self.speed_by.value

        look_ms = self.look_ms

        gallery: dict[str, Any] | Unset = UNSET
        if not isinstance(self.gallery, Unset):
            gallery = self.gallery.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "part": part,
                "state": state,
                "reason": reason,
                "reasons": reasons,
            }
        )
        if driver is not UNSET:
            field_dict["driver"] = driver
        if speed is not UNSET:
            field_dict["speed"] = speed
        if speed_by is not UNSET:
            field_dict["speedBy"] = speed_by
        if look_ms is not UNSET:
            field_dict["lookMs"] = look_ms
        if gallery is not UNSET:
            field_dict["gallery"] = gallery

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.gallery_health import GalleryHealth
        from ..models.health_reason import HealthReason

        d = dict(src_dict)
        part = d.pop("part")

        state = PartState(d.pop("state"))

        reason = d.pop("reason")

        reasons = []
        _reasons = d.pop("reasons")
        for reasons_item_data in _reasons:
            reasons_item = HealthReason.from_dict(reasons_item_data)

            reasons.append(reasons_item)

        driver = d.pop("driver", UNSET)

        speed = d.pop("speed", UNSET)

        _speed_by = d.pop("speedBy", UNSET)
        speed_by: SpeedBy | Unset
        if isinstance(_speed_by, Unset):
            speed_by = UNSET
        else:
            speed_by = SpeedBy(_speed_by)

        look_ms = d.pop("lookMs", UNSET)

        _gallery = d.pop("gallery", UNSET)
        gallery: GalleryHealth | Unset
        if isinstance(_gallery, Unset):
            gallery = UNSET
        else:
            gallery = GalleryHealth.from_dict(_gallery)

        part_health = cls(
            part=part,
            state=state,
            reason=reason,
            reasons=reasons,
            driver=driver,
            speed=speed,
            speed_by=speed_by,
            look_ms=look_ms,
            gallery=gallery,
        )

        part_health.additional_properties = d
        return part_health

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
