from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="Silence")


@_attrs_define
class Silence:
    """
    Attributes:
        code (str): `Bank.Unreachable`: no answer. `Bank.Refused`, `Bank.Contradiction`: an answer that tells nothing of
            this payment
        detail (str): a sentence, with the bank's words where it has any
        since (datetime.datetime): of the first question without an answer, since the last start of the device, UTC
    """

    code: str
    detail: str
    since: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        detail = self.detail

        since = self.since.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "detail": detail,
                "since": since,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        code = d.pop("code")

        detail = d.pop("detail")

        since = datetime.datetime.fromisoformat(d.pop("since"))

        silence = cls(
            code=code,
            detail=detail,
            since=since,
        )

        silence.additional_properties = d
        return silence

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
