from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="DeletionWish")


@_attrs_define
class DeletionWish:
    """
    Attributes:
        item (str): code of the item (PLU): 1 to 64 characters, none of them a control character, kept as sent
        template (None | str | Unset): one of it; null, or left out: the item with all of them
    """

    item: str
    template: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        item = self.item

        template: None | str | Unset
        if isinstance(self.template, Unset):
            template = UNSET
        else:
            template = self.template

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "item": item,
            }
        )
        if template is not UNSET:
            field_dict["template"] = template

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        item = d.pop("item")

        def _parse_template(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        template = _parse_template(d.pop("template", UNSET))

        deletion_wish = cls(
            item=item,
            template=template,
        )

        return deletion_wish
