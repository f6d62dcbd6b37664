from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.flaw import Flaw
from ..models.recognised_by import RecognisedBy
from ..models.tray_state_name import TrayStateName

if TYPE_CHECKING:
    from ..models.candidate import Candidate
    from ..models.read_code import ReadCode
    from ..models.thing import Thing


T = TypeVar("T", bound="Recognition")


@_attrs_define
class Recognition:
    """what lies on the tray

    Attributes:
        number (int | None): of the event that told so, to be sent as `after`; null where nobody watches the tray, or
            while what lies there still moves
        at (datetime.datetime): since when, by the clock of the device, UTC
        state (TrayStateName):
        certain (bool): whether the first candidate may be taken without asking
        candidates (list[Candidate]): best first
        reason (None | str): why it is not certain: `no-templates` (nothing was learned yet; the verdict is unknown),
            `unlike-all` (no item is similar; the verdict is unknown), `not-similar-enough` (similar to the best item, but
            not enough), `look-alikes` (the second item is nearly as similar), `templates-disagree` (the nearest templates
            belong to other items), `size-differs` (it is clearly larger or smaller than what was learned of the item that
            it looks like), `weight-differs` (the weight that was told is not that of a few pieces of the item that it looks
            like), `several-items` (several things lie on the tray, and not all are the same item); of `lost` what is wrong,
            in words
        quality (list[Flaw]): what would explain a bad answer: `dark` (hardly any light: is the lamp on?), `glare` (a
            large part is burnt out by light), `blurred` (out of focus, or moved: is the lens clean?), `moving` (what lies
            on the tray still moves), `cut-by-rim` (the rim of the area cuts it: push it towards the middle), `hand` (a hand
            is in the picture)
        things (list[Thing]): the largest first, four at most; one with the box of the whole area where nothing stands
            out of it
        weight (int | None): grams of all that lies there, as the question told; null where it told none
        by (None | RecognisedBy): how the first candidate was found: `barcode` (its code was read), `looks` (it looks
            like what was learned)
        read (list[ReadCode] | None): codes that were read on the tray; null where none were looked for, or not in time
        id (None | str): names this recognition in its feedback; null where nothing was recognised
    """

    number: int | None
    at: datetime.datetime
    state: TrayStateName
    certain: bool
    candidates: list[Candidate]
    reason: None | str
    quality: list[Flaw]
    things: list[Thing]
    weight: int | None
    by: None | RecognisedBy
    read: list[ReadCode] | None
    id: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        number: int | None
        number = self.number

        at = self.at.isoformat()

        state = self.state.value

        certain = self.certain

        candidates = []
        for candidates_item_data in self.candidates:
            candidates_item = candidates_item_data.to_dict()
            candidates.append(candidates_item)

        reason: None | str
        reason = self.reason

        quality = []
        for quality_item_data in self.quality:
            quality_item = quality_item_data.value
            quality.append(quality_item)

        things = []
        for things_item_data in self.things:
            things_item = things_item_data.to_dict()
            things.append(things_item)

        weight: int | None
        weight = self.weight

        by: None | str
        if isinstance(self.by, RecognisedBy):
            by = self.by.value
        else:
            by = self.by

        read: list[dict[str, Any]] | None
        if isinstance(self.read, list):
            read = []
            for read_type_0_item_data in self.read:
                read_type_0_item = read_type_0_item_data.to_dict()
                read.append(read_type_0_item)

        else:
            read = self.read

        id: None | str
        id = self.id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "number": number,
                "at": at,
                "state": state,
                "certain": certain,
                "candidates": candidates,
                "reason": reason,
                "quality": quality,
                "things": things,
                "weight": weight,
                "by": by,
                "read": read,
                "id": id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.candidate import Candidate
        from ..models.read_code import ReadCode
        from ..models.thing import Thing

        d = dict(src_dict)

        def _parse_number(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        number = _parse_number(d.pop("number"))

        at = datetime.datetime.fromisoformat(d.pop("at"))

        state = TrayStateName(d.pop("state"))

        certain = d.pop("certain")

        candidates = []
        _candidates = d.pop("candidates")
        for candidates_item_data in _candidates:
            candidates_item = Candidate.from_dict(candidates_item_data)

            candidates.append(candidates_item)

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        quality = []
        _quality = d.pop("quality")
        for quality_item_data in _quality:
            quality_item = Flaw(quality_item_data)

            quality.append(quality_item)

        things = []
        _things = d.pop("things")
        for things_item_data in _things:
            things_item = Thing.from_dict(things_item_data)

            things.append(things_item)

        def _parse_weight(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        weight = _parse_weight(d.pop("weight"))

        def _parse_by(data: object) -> None | RecognisedBy:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                by_type_0 = RecognisedBy(data)

                return by_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RecognisedBy, data)

        by = _parse_by(d.pop("by"))

        def _parse_read(data: object) -> list[ReadCode] | None:
            if data is None:
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                read_type_0 = []
                _read_type_0 = data
                for read_type_0_item_data in _read_type_0:
                    read_type_0_item = ReadCode.from_dict(read_type_0_item_data)

                    read_type_0.append(read_type_0_item)

                return read_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[ReadCode] | None, data)

        read = _parse_read(d.pop("read"))

        def _parse_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        id = _parse_id(d.pop("id"))

        recognition = cls(
            number=number,
            at=at,
            state=state,
            certain=certain,
            candidates=candidates,
            reason=reason,
            quality=quality,
            things=things,
            weight=weight,
            by=by,
            read=read,
            id=id,
        )

        recognition.additional_properties = d
        return recognition

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
