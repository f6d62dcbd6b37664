from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.result_data_verdict_reason_type_0 import ResultDataVerdictReasonType0

T = TypeVar("T", bound="ResultDataVerdict")


@_attrs_define
class ResultDataVerdict:
    """
    Attributes:
        certain (bool):
        unknown (bool):
        reason (None | ResultDataVerdictReasonType0): why it is not certain: `no-templates` (nothing was learned yet;
            the verdict is unknown), `unlike-all` (no item is similar; the verdict is unknown), `not-similar-enough`
            (similar to the best item, but not enough), `look-alikes` (the second item is nearly as similar), `templates-
            disagree` (the nearest templates belong to other items), `size-differs` (it is clearly larger or smaller than
            what was learned of the item that it looks like), `weight-differs` (the weight that was told is not that of a
            few pieces of the item that it looks like), `several-items` (several things lie on the tray, and not all are the
            same item)
    """

    certain: bool
    unknown: bool
    reason: None | ResultDataVerdictReasonType0
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        certain = self.certain

        unknown = self.unknown

        reason: None | str
        if isinstance(self.reason, ResultDataVerdictReasonType0):
            reason = self.reason.value
        else:
            reason = self.reason

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "certain": certain,
                "unknown": unknown,
                "reason": reason,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        certain = d.pop("certain")

        unknown = d.pop("unknown")

        def _parse_reason(data: object) -> None | ResultDataVerdictReasonType0:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                reason_type_0 = ResultDataVerdictReasonType0(data)

                return reason_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | ResultDataVerdictReasonType0, data)

        reason = _parse_reason(d.pop("reason"))

        result_data_verdict = cls(
            certain=certain,
            unknown=unknown,
            reason=reason,
        )

        result_data_verdict.additional_properties = d
        return result_data_verdict

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
