from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.task_state_counts import TaskStateCounts


T = TypeVar("T", bound="TaskState")


@_attrs_define
class TaskState:
    """
    Attributes:
        code (Literal[0]):
        status (int): export: 0 none, 1 preparing, 3 ready, 6 failed; import: 0 none, 2 importing, 3 checking, 4
            completed, 5 failed, 7 refused
        msg (str):
        counts (TaskStateCounts | Unset): the numbers of `msg`: `done` of `total` while it runs; `templates` of `items`
            of an export; `imported`, `known` and `beyondLimit` of an import
        filename (str | Unset): to be fetched from /download/<filename>
    """

    code: Literal[0]
    status: int
    msg: str
    counts: TaskStateCounts | Unset = UNSET
    filename: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        status = self.status

        msg = self.msg

        counts: dict[str, Any] | Unset = UNSET
        if not isinstance(self.counts, Unset):
            counts = self.counts.to_dict()

        filename = self.filename

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "status": status,
                "msg": msg,
            }
        )
        if counts is not UNSET:
            field_dict["counts"] = counts
        if filename is not UNSET:
            field_dict["filename"] = filename

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.task_state_counts import TaskStateCounts

        d = dict(src_dict)
        code = cast(Literal[0], d.pop("code"))
        if code != 0:
            raise ValueError(f"code must match const 0, got '{code}'")

        status = d.pop("status")

        msg = d.pop("msg")

        _counts = d.pop("counts", UNSET)
        counts: TaskStateCounts | Unset
        if isinstance(_counts, Unset):
            counts = UNSET
        else:
            counts = TaskStateCounts.from_dict(_counts)

        filename = d.pop("filename", UNSET)

        task_state = cls(
            code=code,
            status=status,
            msg=msg,
            counts=counts,
            filename=filename,
        )

        task_state.additional_properties = d
        return task_state

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
