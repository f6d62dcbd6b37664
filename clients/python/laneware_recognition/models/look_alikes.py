from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.look_alike_pair import LookAlikePair
    from ..models.stray_template import StrayTemplate


T = TypeVar("T", bound="LookAlikes")


@_attrs_define
class LookAlikes:
    """what an operator can mend

    Attributes:
        pairs (list[LookAlikePair]): items that are hardly kept apart
        strays (list[StrayTemplate]): templates that look like another item than their own
        looked (int): items that were looked at for this answer
        cursor (None | str): to go on with; null where every item was looked at
    """

    pairs: list[LookAlikePair]
    strays: list[StrayTemplate]
    looked: int
    cursor: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        pairs = []
        for pairs_item_data in self.pairs:
            pairs_item = pairs_item_data.to_dict()
            pairs.append(pairs_item)

        strays = []
        for strays_item_data in self.strays:
            strays_item = strays_item_data.to_dict()
            strays.append(strays_item)

        looked = self.looked

        cursor: None | str
        cursor = self.cursor

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "pairs": pairs,
                "strays": strays,
                "looked": looked,
                "cursor": cursor,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.look_alike_pair import LookAlikePair
        from ..models.stray_template import StrayTemplate

        d = dict(src_dict)
        pairs = []
        _pairs = d.pop("pairs")
        for pairs_item_data in _pairs:
            pairs_item = LookAlikePair.from_dict(pairs_item_data)

            pairs.append(pairs_item)

        strays = []
        _strays = d.pop("strays")
        for strays_item_data in _strays:
            strays_item = StrayTemplate.from_dict(strays_item_data)

            strays.append(strays_item)

        looked = d.pop("looked")

        def _parse_cursor(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        cursor = _parse_cursor(d.pop("cursor"))

        look_alikes = cls(
            pairs=pairs,
            strays=strays,
            looked=looked,
            cursor=cursor,
        )

        look_alikes.additional_properties = d
        return look_alikes

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
