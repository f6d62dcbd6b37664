from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="Confirmation")


@_attrs_define
class Confirmation:
    """
    Attributes:
        item (None | str): what it was; null: none of the candidates
    """

    item: None | str

    def to_dict(self) -> dict[str, Any]:
        item: None | str
        item = self.item

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "item": item,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_item(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        item = _parse_item(d.pop("item"))

        confirmation = cls(
            item=item,
        )

        return confirmation
