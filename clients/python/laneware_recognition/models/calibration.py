from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.measured_tray import MeasuredTray


T = TypeVar("T", bound="Calibration")


@_attrs_define
class Calibration:
    """how the tray was measured

    Attributes:
        in_use (bool): whether sizes are told
        reason (None | str): why they are not; null where they are
        measured (MeasuredTray | None):
    """

    in_use: bool
    reason: None | str
    measured: MeasuredTray | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.measured_tray import MeasuredTray

        in_use = self.in_use

        reason: None | str
        reason = self.reason

        measured: dict[str, Any] | None
        if isinstance(self.measured, MeasuredTray):
            measured = self.measured.to_dict()
        else:
            measured = self.measured

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "inUse": in_use,
                "reason": reason,
                "measured": measured,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.measured_tray import MeasuredTray

        d = dict(src_dict)
        in_use = d.pop("inUse")

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        def _parse_measured(data: object) -> MeasuredTray | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                measured_type_0 = MeasuredTray.from_dict(data)

                return measured_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(MeasuredTray | None, data)

        measured = _parse_measured(d.pop("measured"))

        calibration = cls(
            in_use=in_use,
            reason=reason,
            measured=measured,
        )

        calibration.additional_properties = d
        return calibration

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
