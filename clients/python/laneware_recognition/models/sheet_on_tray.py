from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SheetOnTray")


@_attrs_define
class SheetOnTray:
    """
    Attributes:
        ruler_mm (float | None | Unset):
    """

    ruler_mm: float | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        ruler_mm: float | None | Unset
        if isinstance(self.ruler_mm, Unset):
            ruler_mm = UNSET
        else:
            ruler_mm = self.ruler_mm

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if ruler_mm is not UNSET:
            field_dict["rulerMm"] = ruler_mm

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_ruler_mm(data: object) -> float | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(float | None | Unset, data)

        ruler_mm = _parse_ruler_mm(d.pop("rulerMm", UNSET))

        sheet_on_tray = cls(
            ruler_mm=ruler_mm,
        )

        return sheet_on_tray
