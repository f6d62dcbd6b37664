from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="SignIn")


@_attrs_define
class SignIn:
    """one of the two

    Attributes:
        pin (str | Unset): 4 to 10 digits
        token (str | Unset): a token of either role
    """

    pin: str | Unset = UNSET
    token: str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        pin = self.pin

        token = self.token

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if pin is not UNSET:
            field_dict["pin"] = pin
        if token is not UNSET:
            field_dict["token"] = token

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        pin = d.pop("pin", UNSET)

        token = d.pop("token", UNSET)

        sign_in = cls(
            pin=pin,
            token=token,
        )

        return sign_in
