from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.field_form import FieldForm


T = TypeVar("T", bound="SettingsFormsBanksItem")


@_attrs_define
class SettingsFormsBanksItem:
    """
    Attributes:
        name (str): `bankName` of a profile
        play (bool): a bank without money
        fields (list[FieldForm]):
    """

    name: str
    play: bool
    fields: list[FieldForm]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        play = self.play

        fields = []
        for fields_item_data in self.fields:
            fields_item = fields_item_data.to_dict()
            fields.append(fields_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "name": name,
                "play": play,
                "fields": fields,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.field_form import FieldForm

        d = dict(src_dict)
        name = d.pop("name")

        play = d.pop("play")

        fields = []
        _fields = d.pop("fields")
        for fields_item_data in _fields:
            fields_item = FieldForm.from_dict(fields_item_data)

            fields.append(fields_item)

        settings_forms_banks_item = cls(
            name=name,
            play=play,
            fields=fields,
        )

        settings_forms_banks_item.additional_properties = d
        return settings_forms_banks_item

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
