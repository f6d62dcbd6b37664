from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="SentCall")


@_attrs_define
class SentCall:
    """what was answered

    Attributes:
        status (int | None): of the answer; null where none came in time
        ms (float): how long it took
        type_ (str): `Content-Type` of the answer; empty where it has none
        text (str):
        cut (bool): only the beginning of the answer is told
    """

    status: int | None
    ms: float
    type_: str
    text: str
    cut: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        status: int | None
        status = self.status

        ms = self.ms

        type_ = self.type_

        text = self.text

        cut = self.cut

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "status": status,
                "ms": ms,
                "type": type_,
                "text": text,
                "cut": cut,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)

        def _parse_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        status = _parse_status(d.pop("status"))

        ms = d.pop("ms")

        type_ = d.pop("type")

        text = d.pop("text")

        cut = d.pop("cut")

        sent_call = cls(
            status=status,
            ms=ms,
            type_=type_,
            text=text,
            cut=cut,
        )

        sent_call.additional_properties = d
        return sent_call

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
