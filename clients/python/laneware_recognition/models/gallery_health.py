from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="GalleryHealth")


@_attrs_define
class GalleryHealth:
    """of the model: what is enrolled, and the thresholds that follow from it

    Attributes:
        items (int): that can be recognised
        prototypes (int): directions that they are known by: one for each view of an item whose templates fall clearly
            apart, as those of a box from the front and from the back
        confirmations (int): confirmed recognitions that no template was made of and that draw the prototypes, eight of
            an item at most; only in the automatic learning mode are there new ones
        look_alikes (float): share of them that have a look-alike, 0 to 1; of many items some are looked at
        certain (float): similarity from which an answer may be certain
        margin (float): lead over the second item from which it may; more for an item with a look-alike
        unknown (float): similarity below which what lies there is called unknown
    """

    items: int
    prototypes: int
    confirmations: int
    look_alikes: float
    certain: float
    margin: float
    unknown: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        items = self.items

        prototypes = self.prototypes

        confirmations = self.confirmations

        look_alikes = self.look_alikes

        certain = self.certain

        margin = self.margin

        unknown = self.unknown

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "items": items,
                "prototypes": prototypes,
                "confirmations": confirmations,
                "lookAlikes": look_alikes,
                "certain": certain,
                "margin": margin,
                "unknown": unknown,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        items = d.pop("items")

        prototypes = d.pop("prototypes")

        confirmations = d.pop("confirmations")

        look_alikes = d.pop("lookAlikes")

        certain = d.pop("certain")

        margin = d.pop("margin")

        unknown = d.pop("unknown")

        gallery_health = cls(
            items=items,
            prototypes=prototypes,
            confirmations=confirmations,
            look_alikes=look_alikes,
            certain=certain,
            margin=margin,
            unknown=unknown,
        )

        gallery_health.additional_properties = d
        return gallery_health

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
