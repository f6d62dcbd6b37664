from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.camera_sight_things_item_cover_type_0 import (
    CameraSightThingsItemCoverType0,
)

if TYPE_CHECKING:
    from ..models.part_of_frame import PartOfFrame


T = TypeVar("T", bound="CameraSightThingsItem")


@_attrs_define
class CameraSightThingsItem:
    """
    Attributes:
        box (PartOfFrame):
        cover (CameraSightThingsItemCoverType0 | None): why it is not seen whole
    """

    box: PartOfFrame
    cover: CameraSightThingsItemCoverType0 | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        box = self.box.to_dict()

        cover: None | str
        if isinstance(self.cover, CameraSightThingsItemCoverType0):
            cover = self.cover.value
        else:
            cover = self.cover

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "box": box,
                "cover": cover,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.part_of_frame import PartOfFrame

        d = dict(src_dict)
        box = PartOfFrame.from_dict(d.pop("box"))

        def _parse_cover(data: object) -> CameraSightThingsItemCoverType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                cover_type_0 = CameraSightThingsItemCoverType0(data)

                return cover_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CameraSightThingsItemCoverType0 | None, data)

        cover = _parse_cover(d.pop("cover"))

        camera_sight_things_item = cls(
            box=box,
            cover=cover,
        )

        camera_sight_things_item.additional_properties = d
        return camera_sight_things_item

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
