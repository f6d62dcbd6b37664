from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.uncertain_answer_now import UncertainAnswerNow
    from ..models.uncertain_answer_told_type_0 import UncertainAnswerToldType0


T = TypeVar("T", bound="UncertainAnswer")


@_attrs_define
class UncertainAnswer:
    """
    Attributes:
        id (str): of the recognition
        at (datetime.datetime): when it was seen last, UTC
        times (int): how often it was seen, looking the same
        picture (str): path of its picture on this port
        told (None | UncertainAnswerToldType0): what its feedback said that it was, where nothing was learned from that;
            null where nobody said
        now (UncertainAnswerNow): what would be answered now, by looks alone
    """

    id: str
    at: datetime.datetime
    times: int
    picture: str
    told: None | UncertainAnswerToldType0
    now: UncertainAnswerNow
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.uncertain_answer_told_type_0 import UncertainAnswerToldType0

        id = self.id

        at = self.at.isoformat()

        times = self.times

        picture = self.picture

        told: dict[str, Any] | None
        if isinstance(self.told, UncertainAnswerToldType0):
            told = self.told.to_dict()
        else:
            told = self.told

        now = self.now.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "at": at,
                "times": times,
                "picture": picture,
                "told": told,
                "now": now,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.uncertain_answer_now import UncertainAnswerNow
        from ..models.uncertain_answer_told_type_0 import UncertainAnswerToldType0

        d = dict(src_dict)
        id = d.pop("id")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        times = d.pop("times")

        picture = d.pop("picture")

        def _parse_told(data: object) -> None | UncertainAnswerToldType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                told_type_0 = UncertainAnswerToldType0.from_dict(data)

                return told_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UncertainAnswerToldType0, data)

        told = _parse_told(d.pop("told"))

        now = UncertainAnswerNow.from_dict(d.pop("now"))

        uncertain_answer = cls(
            id=id,
            at=at,
            times=times,
            picture=picture,
            told=told,
            now=now,
        )

        uncertain_answer.additional_properties = d
        return uncertain_answer

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
