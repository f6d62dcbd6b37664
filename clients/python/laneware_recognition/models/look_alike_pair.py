from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.look_alike_cure import LookAlikeCure

if TYPE_CHECKING:
    from ..models.alike_item import AlikeItem


T = TypeVar("T", bound="LookAlikePair")


@_attrs_define
class LookAlikePair:
    """`cure` is what would help: `delete-strays` (one of them has templates that look like the other: `strays` names them,
    look at each and delete it), `more-templates` (one of them has fewer than five templates: learn more, turned and
    laid down anew in between, then look again), `choose` (the camera sees no difference: let the customer choose on the
    till, or sell one of them by its barcode)

        Attributes:
            items (list[AlikeItem]):
            similarity (float): how near they are to each other, -1 to 1
            cure (LookAlikeCure):
    """

    items: list[AlikeItem]
    similarity: float
    cure: LookAlikeCure
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        similarity = self.similarity

        cure = self.cure.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "items": items,
                "similarity": similarity,
                "cure": cure,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.alike_item import AlikeItem

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = AlikeItem.from_dict(items_item_data)

            items.append(items_item)

        similarity = d.pop("similarity")

        cure = LookAlikeCure(d.pop("cure"))

        look_alike_pair = cls(
            items=items,
            similarity=similarity,
            cure=cure,
        )

        look_alike_pair.additional_properties = d
        return look_alike_pair

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
