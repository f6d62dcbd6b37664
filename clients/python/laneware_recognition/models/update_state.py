from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.undone_release import UndoneRelease
    from ..models.update_outcome import UpdateOutcome


T = TypeVar("T", bound="UpdateState")


@_attrs_define
class UpdateState:
    """
    Attributes:
        doing (str): what the updater is doing; `idle` when nothing
        outcome (None | UpdateOutcome): how the last one went
        previous (None | str): the release that can be gone back to
        has_source (bool): whether it is looked for releases anywhere
        undone (list[UndoneRelease]): newer releases that were tried and undone
        put_off_since (None | str): since when updates come to nothing, ISO 8601
        put_off_why (str): in the words of the updater; empty where they are not put off
    """

    doing: str
    outcome: None | UpdateOutcome
    previous: None | str
    has_source: bool
    undone: list[UndoneRelease]
    put_off_since: None | str
    put_off_why: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.update_outcome import UpdateOutcome

        doing = self.doing

        outcome: dict[str, Any] | None
        if isinstance(self.outcome, UpdateOutcome):
            outcome = self.outcome.to_dict()
        else:
            outcome = self.outcome

        previous: None | str
        previous = self.previous

        has_source = self.has_source

        undone = []
        for undone_item_data in self.undone:
            undone_item = undone_item_data.to_dict()
            undone.append(undone_item)

        put_off_since: None | str
        put_off_since = self.put_off_since

        put_off_why = self.put_off_why

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "doing": doing,
                "outcome": outcome,
                "previous": previous,
                "hasSource": has_source,
                "undone": undone,
                "putOffSince": put_off_since,
                "putOffWhy": put_off_why,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.undone_release import UndoneRelease
        from ..models.update_outcome import UpdateOutcome

        d = dict(src_dict)
        doing = d.pop("doing")

        def _parse_outcome(data: object) -> None | UpdateOutcome:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                outcome_type_0 = UpdateOutcome.from_dict(data)

                return outcome_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | UpdateOutcome, data)

        outcome = _parse_outcome(d.pop("outcome"))

        def _parse_previous(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        previous = _parse_previous(d.pop("previous"))

        has_source = d.pop("hasSource")

        undone = []
        _undone = d.pop("undone")
        for undone_item_data in _undone:
            undone_item = UndoneRelease.from_dict(undone_item_data)

            undone.append(undone_item)

        def _parse_put_off_since(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        put_off_since = _parse_put_off_since(d.pop("putOffSince"))

        put_off_why = d.pop("putOffWhy")

        update_state = cls(
            doing=doing,
            outcome=outcome,
            previous=previous,
            has_source=has_source,
            undone=undone,
            put_off_since=put_off_since,
            put_off_why=put_off_why,
        )

        update_state.additional_properties = d
        return update_state

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
