from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.item_deletion_templates import ItemDeletionTemplates


T = TypeVar("T", bound="ItemDeletion")


@_attrs_define
class ItemDeletion:
    """the item is gone

    Attributes:
        id (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        templates (ItemDeletionTemplates): what has become of what was learned of it
    """

    id: str
    templates: ItemDeletionTemplates
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        templates = self.templates.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "templates": templates,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.item_deletion_templates import ItemDeletionTemplates

        d = dict(src_dict)
        id = d.pop("id")

        templates = ItemDeletionTemplates.from_dict(d.pop("templates"))

        item_deletion = cls(
            id=id,
            templates=templates,
        )

        item_deletion.additional_properties = d
        return item_deletion

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
