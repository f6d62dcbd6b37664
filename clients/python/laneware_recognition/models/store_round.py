from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="StoreRound")


@_attrs_define
class StoreRound:
    """what came of it

    Attributes:
        sent (int): templates that this device gave
        received (int): templates that it was given
        deleted (int): templates that it deleted, as others had
        left (int): templates that the limit leaves for the next round
        templates (int): that it has now
    """

    sent: int
    received: int
    deleted: int
    left: int
    templates: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sent = self.sent

        received = self.received

        deleted = self.deleted

        left = self.left

        templates = self.templates

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "sent": sent,
                "received": received,
                "deleted": deleted,
                "left": left,
                "templates": templates,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sent = d.pop("sent")

        received = d.pop("received")

        deleted = d.pop("deleted")

        left = d.pop("left")

        templates = d.pop("templates")

        store_round = cls(
            sent=sent,
            received=received,
            deleted=deleted,
            left=left,
            templates=templates,
        )

        store_round.additional_properties = d
        return store_round

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
