from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.difference_kind import DifferenceKind

T = TypeVar("T", bound="Difference")


@_attrs_define
class Difference:
    """
    Attributes:
        kind (DifferenceKind):
        line (int | None): of the registry
        payment (None | str): `id` of the payment
        refund (None | str): the till's id of the refund
        registry (int | None): kopecks, by the registry
        ledger (int | None): kopecks, by the ledger
        sentence (str): what is different, and what to do
    """

    kind: DifferenceKind
    line: int | None
    payment: None | str
    refund: None | str
    registry: int | None
    ledger: int | None
    sentence: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind.value

        line: int | None
        line = self.line

        payment: None | str
        payment = self.payment

        refund: None | str
        refund = self.refund

        registry: int | None
        registry = self.registry

        ledger: int | None
        ledger = self.ledger

        sentence = self.sentence

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kind": kind,
                "line": line,
                "payment": payment,
                "refund": refund,
                "registry": registry,
                "ledger": ledger,
                "sentence": sentence,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        kind = DifferenceKind(d.pop("kind"))

        def _parse_line(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        line = _parse_line(d.pop("line"))

        def _parse_payment(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payment = _parse_payment(d.pop("payment"))

        def _parse_refund(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        refund = _parse_refund(d.pop("refund"))

        def _parse_registry(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        registry = _parse_registry(d.pop("registry"))

        def _parse_ledger(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        ledger = _parse_ledger(d.pop("ledger"))

        sentence = d.pop("sentence")

        difference = cls(
            kind=kind,
            line=line,
            payment=payment,
            refund=refund,
            registry=registry,
            ledger=ledger,
            sentence=sentence,
        )

        difference.additional_properties = d
        return difference

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
