from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.difference import Difference


T = TypeVar("T", bound="Reconciliation")


@_attrs_define
class Reconciliation:
    """what the two say differently

    Attributes:
        payments (int): lines that agree with payments of the ledger
        refunds (int): lines that agree with refunds of the ledger
        differences (list[Difference]): the first ten thousand; unreadable lines in front
        more (int): differences beside those
    """

    payments: int
    refunds: int
    differences: list[Difference]
    more: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        payments = self.payments

        refunds = self.refunds

        differences = []
        for differences_item_data in self.differences:
            differences_item = differences_item_data.to_dict()
            differences.append(differences_item)

        more = self.more

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "payments": payments,
                "refunds": refunds,
                "differences": differences,
                "more": more,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.difference import Difference

        d = dict(src_dict)
        payments = d.pop("payments")

        refunds = d.pop("refunds")

        differences = []
        _differences = d.pop("differences")
        for differences_item_data in _differences:
            differences_item = Difference.from_dict(differences_item_data)

            differences.append(differences_item)

        more = d.pop("more")

        reconciliation = cls(
            payments=payments,
            refunds=refunds,
            differences=differences,
            more=more,
        )

        reconciliation.additional_properties = d
        return reconciliation

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
