from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="RegistryColumns")


@_attrs_define
class RegistryColumns:
    """names of the columns, where they are not those of Raiffeisenbank; one of the first twenty lines of the file has them

    Attributes:
        order (str | Unset): our order id (`id` of the payment)
        bank (str | Unset): the bank's id of the payment, or the id of the code
        transaction (str | Unset): the payment system's id of the transaction
        refund (str | Unset): the refund's id: where neither type nor sign tells, a line that has one is a refund
        type_ (str | Unset): what the line is: one that speaks of a return is a refund; so is each negative amount
        amount (str | Unset): roubles
    """

    order: str | Unset = UNSET
    bank: str | Unset = UNSET
    transaction: str | Unset = UNSET
    refund: str | Unset = UNSET
    type_: str | Unset = UNSET
    amount: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        order = self.order

        bank = self.bank

        transaction = self.transaction

        refund = self.refund

        type_ = self.type_

        amount = self.amount

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if order is not UNSET:
            field_dict["order"] = order
        if bank is not UNSET:
            field_dict["bank"] = bank
        if transaction is not UNSET:
            field_dict["transaction"] = transaction
        if refund is not UNSET:
            field_dict["refund"] = refund
        if type_ is not UNSET:
            field_dict["type"] = type_
        if amount is not UNSET:
            field_dict["amount"] = amount

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        order = d.pop("order", UNSET)

        bank = d.pop("bank", UNSET)

        transaction = d.pop("transaction", UNSET)

        refund = d.pop("refund", UNSET)

        type_ = d.pop("type", UNSET)

        amount = d.pop("amount", UNSET)

        registry_columns = cls(
            order=order,
            bank=bank,
            transaction=transaction,
            refund=refund,
            type_=type_,
            amount=amount,
        )

        return registry_columns
