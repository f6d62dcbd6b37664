from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.sureness import Sureness


T = TypeVar("T", bound="LearnedTemplate")


@_attrs_define
class LearnedTemplate:
    """the item is recognised by it from now on; how sure recognition was of this very picture before it was learned, and
    is after

        Attributes:
            item (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
            template (str): identifier of the template, as `get_item_template_list` names it
            picture (str): path of its picture on this port
            templates (int): templates that the item has now
            before (Sureness):
            after (Sureness):
    """

    item: str
    template: str
    picture: str
    templates: int
    before: Sureness
    after: Sureness
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        item = self.item

        template = self.template

        picture = self.picture

        templates = self.templates

        before = self.before.to_dict()

        after = self.after.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "item": item,
                "template": template,
                "picture": picture,
                "templates": templates,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.sureness import Sureness

        d = dict(src_dict)
        item = d.pop("item")

        template = d.pop("template")

        picture = d.pop("picture")

        templates = d.pop("templates")

        before = Sureness.from_dict(d.pop("before"))

        after = Sureness.from_dict(d.pop("after"))

        learned_template = cls(
            item=item,
            template=template,
            picture=picture,
            templates=templates,
            before=before,
            after=after,
        )

        learned_template.additional_properties = d
        return learned_template

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
