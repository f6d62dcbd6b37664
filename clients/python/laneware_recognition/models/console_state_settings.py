from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.console_state_settings_display_type_0 import (
    ConsoleStateSettingsDisplayType0,
)

T = TypeVar("T", bound="ConsoleStateSettings")


@_attrs_define
class ConsoleStateSettings:
    """
    Attributes:
        bank (None | str): the bank of the profile in use; null until configured
        display (ConsoleStateSettingsDisplayType0 | None): the kind of display; null until configured
        setup_refusal (None | str): why one press cannot set the device up; null where it can
    """

    bank: None | str
    display: ConsoleStateSettingsDisplayType0 | None
    setup_refusal: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bank: None | str
        bank = self.bank

        display: None | str
        if isinstance(self.display, ConsoleStateSettingsDisplayType0):
            display = self.display.value
        else:
            display = self.display

        setup_refusal: None | str
        setup_refusal = self.setup_refusal

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bank": bank,
                "display": display,
                "setupRefusal": setup_refusal,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_bank(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        bank = _parse_bank(d.pop("bank"))

        def _parse_display(data: object) -> ConsoleStateSettingsDisplayType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                display_type_0 = ConsoleStateSettingsDisplayType0(data)

                return display_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ConsoleStateSettingsDisplayType0 | None, data)

        display = _parse_display(d.pop("display"))

        def _parse_setup_refusal(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        setup_refusal = _parse_setup_refusal(d.pop("setupRefusal"))

        console_state_settings = cls(
            bank=bank,
            display=display,
            setup_refusal=setup_refusal,
        )

        console_state_settings.additional_properties = d
        return console_state_settings

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
