from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.settings_forms_banks_item import SettingsFormsBanksItem
    from ..models.settings_forms_displays_item import SettingsFormsDisplaysItem


T = TypeVar("T", bound="SettingsForms")


@_attrs_define
class SettingsForms:
    """the banks and displays that are built in, and what each asks for

    Attributes:
        banks (list[SettingsFormsBanksItem]):
        displays (list[SettingsFormsDisplaysItem]):
    """

    banks: list[SettingsFormsBanksItem]
    displays: list[SettingsFormsDisplaysItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        banks = []
        for banks_item_data in self.banks:
            banks_item = banks_item_data.to_dict()
            banks.append(banks_item)

        displays = []
        for displays_item_data in self.displays:
            displays_item = displays_item_data.to_dict()
            displays.append(displays_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "banks": banks,
                "displays": displays,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.settings_forms_banks_item import SettingsFormsBanksItem
        from ..models.settings_forms_displays_item import SettingsFormsDisplaysItem

        d = dict(src_dict)
        banks = []
        _banks = d.pop("banks")
        for banks_item_data in _banks:
            banks_item = SettingsFormsBanksItem.from_dict(banks_item_data)

            banks.append(banks_item)

        displays = []
        _displays = d.pop("displays")
        for displays_item_data in _displays:
            displays_item = SettingsFormsDisplaysItem.from_dict(displays_item_data)

            displays.append(displays_item)

        settings_forms = cls(
            banks=banks,
            displays=displays,
        )

        settings_forms.additional_properties = d
        return settings_forms

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
