from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.refund import Refund


T = TypeVar("T", bound="Refunds")


@_attrs_define
class Refunds:
    """the refunds of a payment

    Attributes:
        refunds (list[Refund]): oldest first
    """

    refunds: list[Refund]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        refunds = []
        for refunds_item_data in self.refunds:
            refunds_item = refunds_item_data.to_dict()
            refunds.append(refunds_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "refunds": refunds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.refund import Refund

        d = dict(src_dict)
        refunds = []
        _refunds = d.pop("refunds")
        for refunds_item_data in _refunds:
            refunds_item = Refund.from_dict(refunds_item_data)

            refunds.append(refunds_item)

        refunds = cls(
            refunds=refunds,
        )

        refunds.additional_properties = d
        return refunds

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
