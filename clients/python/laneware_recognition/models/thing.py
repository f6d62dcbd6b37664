from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.candidate import Candidate
    from ..models.thing_box import ThingBox
    from ..models.thing_size import ThingSize


T = TypeVar("T", bound="Thing")


@_attrs_define
class Thing:
    """a thing on the tray, and what it is by itself

    Attributes:
        box (ThingBox):
        size (None | ThingSize): null where the tray was not measured (`/v1/calibration`), or the thing is not seen
            whole
        certain (bool):
        reason (None | str): why it is not certain: `no-templates` (nothing was learned yet; the verdict is unknown),
            `unlike-all` (no item is similar; the verdict is unknown), `not-similar-enough` (similar to the best item, but
            not enough), `look-alikes` (the second item is nearly as similar), `templates-disagree` (the nearest templates
            belong to other items), `size-differs` (it is clearly larger or smaller than what was learned of the item that
            it looks like), `weight-differs` (the weight that was told is not that of a few pieces of the item that it looks
            like), `several-items` (several things lie on the tray, and not all are the same item)
        candidates (list[Candidate]): best first
    """

    box: ThingBox
    size: None | ThingSize
    certain: bool
    reason: None | str
    candidates: list[Candidate]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.thing_size import ThingSize

        box = self.box.to_dict()

        size: dict[str, Any] | None
        if isinstance(self.size, ThingSize):
            size = self.size.to_dict()
        else:
            size = self.size

        certain = self.certain

        reason: None | str
        reason = self.reason

        candidates = []
        for candidates_item_data in self.candidates:
            candidates_item = candidates_item_data.to_dict()
            candidates.append(candidates_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "box": box,
                "size": size,
                "certain": certain,
                "reason": reason,
                "candidates": candidates,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.candidate import Candidate
        from ..models.thing_box import ThingBox
        from ..models.thing_size import ThingSize

        d = dict(src_dict)
        box = ThingBox.from_dict(d.pop("box"))

        def _parse_size(data: object) -> None | ThingSize:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                size_type_0 = ThingSize.from_dict(data)

                return size_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ThingSize, data)

        size = _parse_size(d.pop("size"))

        certain = d.pop("certain")

        def _parse_reason(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reason = _parse_reason(d.pop("reason"))

        candidates = []
        _candidates = d.pop("candidates")
        for candidates_item_data in _candidates:
            candidates_item = Candidate.from_dict(candidates_item_data)

            candidates.append(candidates_item)

        thing = cls(
            box=box,
            size=size,
            certain=certain,
            reason=reason,
            candidates=candidates,
        )

        thing.additional_properties = d
        return thing

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
