from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.call_method import CallMethod
from ..types import UNSET, Unset

T = TypeVar("T", bound="CallToSend")


@_attrs_define
class CallToSend:
    """
    Attributes:
        method (CallMethod): of HTTP
        path (str): of the call, with its query
        key (str | Unset): `Idempotency-Key`
        body (str | Unset): as it is to be sent, whether it is JSON or not
    """

    method: CallMethod
    path: str
    key: str | Unset = UNSET
    body: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        method = self.method.value

        path = self.path

        key = self.key

        body = self.body

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "method": method,
                "path": path,
            }
        )
        if key is not UNSET:
            field_dict["key"] = key
        if body is not UNSET:
            field_dict["body"] = body

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        method = CallMethod(d.pop("method"))

        path = d.pop("path")

        key = d.pop("key", UNSET)

        body = d.pop("body", UNSET)

        call_to_send = cls(
            method=method,
            path=path,
            key=key,
            body=body,
        )

        return call_to_send
