from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flaw import Flaw

if TYPE_CHECKING:
    from ..models.result_data_items_item import ResultDataItemsItem
    from ..models.result_data_verdict import ResultDataVerdict


T = TypeVar("T", bound="ResultData")


@_attrs_define
class ResultData:
    """
    Attributes:
        items (list[ResultDataItemsItem]): best first
        session (str): names this recognition in feedback
        verdict (ResultDataVerdict):
        quality (list[Flaw]): what would explain a bad answer: `dark` (hardly any light: is the lamp on?), `glare` (a
            large part is burnt out by light), `blurred` (out of focus, or moved: is the lens clean?), `moving` (what lies
            on the tray still moves), `cut-by-rim` (the rim of the area cuts it: push it towards the middle), `hand` (a hand
            is in the picture)
    """

    items: list[ResultDataItemsItem]
    session: str
    verdict: ResultDataVerdict
    quality: list[Flaw]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        session = self.session

        verdict = self.verdict.to_dict()

        quality = []
        for quality_item_data in self.quality:
            quality_item = quality_item_data.value
            quality.append(quality_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "items": items,
                "session": session,
                "verdict": verdict,
                "quality": quality,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.result_data_items_item import ResultDataItemsItem
        from ..models.result_data_verdict import ResultDataVerdict

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = ResultDataItemsItem.from_dict(items_item_data)

            items.append(items_item)

        session = d.pop("session")

        verdict = ResultDataVerdict.from_dict(d.pop("verdict"))

        quality = []
        _quality = d.pop("quality")
        for quality_item_data in _quality:
            quality_item = Flaw(quality_item_data)

            quality.append(quality_item)

        result_data = cls(
            items=items,
            session=session,
            verdict=verdict,
            quality=quality,
        )

        result_data.additional_properties = d
        return result_data

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
