from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

T = TypeVar("T", bound="Problem")


@_attrs_define
class Problem:
    """refused or failed; other members are parameters of the sentence

    Attributes:
        type_ (str): names the kind of problem: `/errors/` and the code. It never changes, and is the path of a page on
            the device that says what to do
        title (str): of the HTTP status
        status (int): the HTTP status
        detail (str): a sentence that says what is wrong and what to do
        code (str): category and member, as `Payments.ExceedsPaid` or `Items.NotFound`: it never changes
        field (str | Unset): the field at fault, where one is
        payment (str | Unset): `id` of the payment that it is about
        payments (list[str] | Unset): the same of several
        repeat (bool | Unset): of a failed sale: whether the same key is to be sent again; else it is used up
        differs (list[str] | Unset): fields by which a call differs from the one of the same key
        left (int | Unset): kopecks of a payment that can still go back
        amount (int | Unset): kopecks of the refund that the key stands for
    """

    type_: str
    title: str
    status: int
    detail: str
    code: str
    field: str | Unset = UNSET
    payment: str | Unset = UNSET
    payments: list[str] | Unset = UNSET
    repeat: bool | Unset = UNSET
    differs: list[str] | Unset = UNSET
    left: int | Unset = UNSET
    amount: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        type_ = self.type_

        title = self.title

        status = self.status

        detail = self.detail

        code = self.code

        field = self.field

        payment = self.payment

        payments: list[str] | Unset = UNSET
        if not isinstance(self.payments, Unset):
            payments = self.payments

        repeat = self.repeat

        differs: list[str] | Unset = UNSET
        if not isinstance(self.differs, Unset):
            differs = self.differs

        left = self.left

        amount = self.amount

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "type": type_,
                "title": title,
                "status": status,
                "detail": detail,
                "code": code,
            }
        )
        if field is not UNSET:
            field_dict["field"] = field
        if payment is not UNSET:
            field_dict["payment"] = payment
        if payments is not UNSET:
            field_dict["payments"] = payments
        if repeat is not UNSET:
            field_dict["repeat"] = repeat
        if differs is not UNSET:
            field_dict["differs"] = differs
        if left is not UNSET:
            field_dict["left"] = left
        if amount is not UNSET:
            field_dict["amount"] = amount

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        type_ = d.pop("type")

        title = d.pop("title")

        status = d.pop("status")

        detail = d.pop("detail")

        code = d.pop("code")

        field = d.pop("field", UNSET)

        payment = d.pop("payment", UNSET)

        payments = cast(list[str], d.pop("payments", UNSET))

        repeat = d.pop("repeat", UNSET)

        differs = cast(list[str], d.pop("differs", UNSET))

        left = d.pop("left", UNSET)

        amount = d.pop("amount", UNSET)

        problem = cls(
            type_=type_,
            title=title,
            status=status,
            detail=detail,
            code=code,
            field=field,
            payment=payment,
            payments=payments,
            repeat=repeat,
            differs=differs,
            left=left,
            amount=amount,
        )

        problem.additional_properties = d
        return problem

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
