from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="WebhookTest")


@_attrs_define
class WebhookTest:
    """what a receiver has said to a test

    Attributes:
        id (str): of the address; it stays the same as long as the address does
        url (str): without what stands in its query
        status (int | None): HTTP status of the answer; null where there was none
        problem (None | str): why it was not taken; null where it was
        took_ms (int): how long it took, milliseconds
    """

    id: str
    url: str
    status: int | None
    problem: None | str
    took_ms: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        url = self.url

        status: int | None
        status = self.status

        problem: None | str
        problem = self.problem

        took_ms = self.took_ms

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "url": url,
                "status": status,
                "problem": problem,
                "tookMs": took_ms,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        id = d.pop("id")

        url = d.pop("url")

        def _parse_status(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        status = _parse_status(d.pop("status"))

        def _parse_problem(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        problem = _parse_problem(d.pop("problem"))

        took_ms = d.pop("tookMs")

        webhook_test = cls(
            id=id,
            url=url,
            status=status,
            problem=problem,
            took_ms=took_ms,
        )

        webhook_test.additional_properties = d
        return webhook_test

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
