from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.deletion import Deletion


T = TypeVar("T", bound="Deletions")


@_attrs_define
class Deletions:
    """what can be taken back

    Attributes:
        deletions (list[Deletion]): in the order in which they were asked for
    """

    deletions: list[Deletion]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        deletions = []
        for deletions_item_data in self.deletions:
            deletions_item = deletions_item_data.to_dict()
            deletions.append(deletions_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "deletions": deletions,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.deletion import Deletion

        d = dict(src_dict)
        deletions = []
        _deletions = d.pop("deletions")
        for deletions_item_data in _deletions:
            deletions_item = Deletion.from_dict(deletions_item_data)

            deletions.append(deletions_item)

        deletions = cls(
            deletions=deletions,
        )

        deletions.additional_properties = d
        return deletions

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
