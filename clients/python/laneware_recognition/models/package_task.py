from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.package_state import PackageState

if TYPE_CHECKING:
    from ..models.package_task_counts import PackageTaskCounts


T = TypeVar("T", bound="PackageTask")


@_attrs_define
class PackageTask:
    """how it stands

    Attributes:
        state (PackageState): refused: what was brought in is no package of this device; none: nothing was begun
        detail (str): the same as a sentence, with why it failed
        counts (PackageTaskCounts): `done` of `total` while it runs; `templates` of `items` of an export; `imported`,
            `known` and `beyondLimit` of an import
        filename (None | str): of an export that is done: `GET /v1/packages/{filename}` gives it
    """

    state: PackageState
    detail: str
    counts: PackageTaskCounts
    filename: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        detail = self.detail

        counts = self.counts.to_dict()

        filename: None | str
        filename = self.filename

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
                "detail": detail,
                "counts": counts,
                "filename": filename,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.package_task_counts import PackageTaskCounts

        d = dict(src_dict)
        state = PackageState(d.pop("state"))

        detail = d.pop("detail")

        counts = PackageTaskCounts.from_dict(d.pop("counts"))

        def _parse_filename(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        filename = _parse_filename(d.pop("filename"))

        package_task = cls(
            state=state,
            detail=detail,
            counts=counts,
            filename=filename,
        )

        package_task.additional_properties = d
        return package_task

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
