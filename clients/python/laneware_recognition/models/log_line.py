from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.log_level import LogLevel
from ..models.log_part import LogPart

T = TypeVar("T", bound="LogLine")


@_attrs_define
class LogLine:
    """
    Attributes:
        n (int): greater by one with each line since the device started
        at (str): ISO 8601, UTC; empty where it is not known
        level (LogLevel):
        part (LogPart): which part of the device writes
        message (str): in English
        details (str): what else the line has, as JSON; `{}` where there is nothing
    """

    n: int
    at: str
    level: LogLevel
    part: LogPart
    message: str
    details: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        n = self.n

        at = self.at

        level = self.level.value

        part = self.part.value

        message = self.message

        details = self.details

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "n": n,
                "at": at,
                "level": level,
                "part": part,
                "message": message,
                "details": details,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        n = d.pop("n")

        at = d.pop("at")

        level = LogLevel(d.pop("level"))

        part = LogPart(d.pop("part"))

        message = d.pop("message")

        details = d.pop("details")

        log_line = cls(
            n=n,
            at=at,
            level=level,
            part=part,
            message=message,
            details=details,
        )

        log_line.additional_properties = d
        return log_line

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
