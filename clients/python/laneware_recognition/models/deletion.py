from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Deletion")


@_attrs_define
class Deletion:
    """what is deleted soon

    Attributes:
        id (str):
        item (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        name (None | str): what people call it; null where nobody said
        template (None | str): null: the item with all of them
        templates (int): templates that are deleted
        left_ms (int): how long it can be taken back
    """

    id: str
    item: str
    name: None | str
    template: None | str
    templates: int
    left_ms: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        item = self.item

        name: None | str
        name = self.name

        template: None | str
        template = self.template

        templates = self.templates

        left_ms = self.left_ms

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "item": item,
                "name": name,
                "template": template,
                "templates": templates,
                "leftMs": left_ms,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        item = d.pop("item")

        def _parse_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        name = _parse_name(d.pop("name"))

        def _parse_template(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        template = _parse_template(d.pop("template"))

        templates = d.pop("templates")

        left_ms = d.pop("leftMs")

        deletion = cls(
            id=id,
            item=item,
            name=name,
            template=template,
            templates=templates,
            left_ms=left_ms,
        )

        deletion.additional_properties = d
        return deletion

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
