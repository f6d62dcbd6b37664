from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.alike_item import AlikeItem
    from ..models.stray_template_looks_like import StrayTemplateLooksLike


T = TypeVar("T", bound="StrayTemplate")


@_attrs_define
class StrayTemplate:
    """DELETE /v1/items/{id}/templates/{template} forgets it; nothing is deleted by itself

    Attributes:
        item (AlikeItem):
        template (str): identifier of the template, as `get_item_template_list` names it
        picture (str): path of its picture on this port: look at it before you delete it
        similarity (float): to the other templates of its item, -1 to 1
        looks_like (StrayTemplateLooksLike): the item that it looks like
    """

    item: AlikeItem
    template: str
    picture: str
    similarity: float
    looks_like: StrayTemplateLooksLike
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        item = self.item.to_dict()

        template = self.template

        picture = self.picture

        similarity = self.similarity

        looks_like = self.looks_like.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "item": item,
                "template": template,
                "picture": picture,
                "similarity": similarity,
                "looksLike": looks_like,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.alike_item import AlikeItem
        from ..models.stray_template_looks_like import StrayTemplateLooksLike

        d = dict(src_dict)
        item = AlikeItem.from_dict(d.pop("item"))

        template = d.pop("template")

        picture = d.pop("picture")

        similarity = d.pop("similarity")

        looks_like = StrayTemplateLooksLike.from_dict(d.pop("looksLike"))

        stray_template = cls(
            item=item,
            template=template,
            picture=picture,
            similarity=similarity,
            looks_like=looks_like,
        )

        stray_template.additional_properties = d
        return stray_template

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
