from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define

from ..models.sandbox_deed_does import SandboxDeedDoes

T = TypeVar("T", bound="SandboxDeed")


@_attrs_define
class SandboxDeed:
    """
    Attributes:
        does (SandboxDeedDoes): pay and decline: as the customer. silent: the bank answers the next questions about
            payments with nothing. late: the display is cleared, and the customer pays all the same
    """

    does: SandboxDeedDoes

    def to_dict(self) -> dict[str, Any]:
        does = self.does.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "does": does,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        does = SandboxDeedDoes(d.pop("does"))

        sandbox_deed = cls(
            does=does,
        )

        return sandbox_deed
