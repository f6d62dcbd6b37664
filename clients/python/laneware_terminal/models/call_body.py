from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.call_body_withheld_type_0 import CallBodyWithheldType0

T = TypeVar("T", bound="CallBody")


@_attrs_define
class CallBody:
    """
    Attributes:
        bytes_ (int): how long it was
        text (str): JSON without blanks, secrets masked, or what else was sent
        cut (bool): only its beginning is told
        withheld (CallBodyWithheldType0 | None): why `text` is empty. binary: no text. secret: it may have a secret that
            cannot be told from the rest, or quote one. unread: the device has not kept it
    """

    bytes_: int
    text: str
    cut: bool
    withheld: CallBodyWithheldType0 | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        bytes_ = self.bytes_

        text = self.text

        cut = self.cut

        withheld: None | str
        if isinstance(self.withheld, CallBodyWithheldType0):
            withheld = self.withheld.value
        else:
            withheld = self.withheld

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "bytes": bytes_,
                "text": text,
                "cut": cut,
                "withheld": withheld,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        bytes_ = d.pop("bytes")

        text = d.pop("text")

        cut = d.pop("cut")

        def _parse_withheld(data: object) -> CallBodyWithheldType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                withheld_type_0 = CallBodyWithheldType0(data)

                return withheld_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CallBodyWithheldType0 | None, data)

        withheld = _parse_withheld(d.pop("withheld"))

        call_body = cls(
            bytes_=bytes_,
            text=text,
            cut=cut,
            withheld=withheld,
        )

        call_body.additional_properties = d
        return call_body

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
