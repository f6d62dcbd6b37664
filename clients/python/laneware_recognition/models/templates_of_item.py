from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.templates_of_item_templates_item import TemplatesOfItemTemplatesItem


T = TypeVar("T", bound="TemplatesOfItem")


@_attrs_define
class TemplatesOfItem:
    """what was learned of it

    Attributes:
        templates (list[TemplatesOfItemTemplatesItem]): the oldest first
        most (int): templates that an item may have
    """

    templates: list[TemplatesOfItemTemplatesItem]
    most: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        templates = []
        for templates_item_data in self.templates:
            templates_item = templates_item_data.to_dict()
            templates.append(templates_item)

        most = self.most

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "templates": templates,
                "most": most,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.templates_of_item_templates_item import (
            TemplatesOfItemTemplatesItem,
        )

        d = dict(src_dict)
        templates = []
        _templates = d.pop("templates")
        for templates_item_data in _templates:
            templates_item = TemplatesOfItemTemplatesItem.from_dict(templates_item_data)

            templates.append(templates_item)

        most = d.pop("most")

        templates_of_item = cls(
            templates=templates,
            most=most,
        )

        templates_of_item.additional_properties = d
        return templates_of_item

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
