from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.sum_ import Sum


T = TypeVar("T", bound="DayReportProfilesItem")


@_attrs_define
class DayReportProfilesItem:
    """
    Attributes:
        profile (str):
        bank (str):
        accepted (Sum): accepted on that day, by the bank's clock where it has told
        refunds (Sum): accepted on that day, by the bank's clock where it has told
        net (int): kopecks: accepted without refunds
        late (int): how many of those accepted somebody must look into
        open_ (Sum): accepted on that day, by the bank's clock where it has told
        open_before (Sum): accepted on that day, by the bank's clock where it has told
        open_refunds (Sum): accepted on that day, by the bank's clock where it has told
        not_followed (Sum): accepted on that day, by the bank's clock where it has told
    """

    profile: str
    bank: str
    accepted: Sum
    refunds: Sum
    net: int
    late: int
    open_: Sum
    open_before: Sum
    open_refunds: Sum
    not_followed: Sum
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        profile = self.profile

        bank = self.bank

        accepted = self.accepted.to_dict()

        refunds = self.refunds.to_dict()

        net = self.net

        late = self.late

        open_ = self.open_.to_dict()

        open_before = self.open_before.to_dict()

        open_refunds = self.open_refunds.to_dict()

        not_followed = self.not_followed.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "profile": profile,
                "bank": bank,
                "accepted": accepted,
                "refunds": refunds,
                "net": net,
                "late": late,
                "open": open_,
                "openBefore": open_before,
                "openRefunds": open_refunds,
                "notFollowed": not_followed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.sum_ import Sum

        d = dict(src_dict)
        profile = d.pop("profile")

        bank = d.pop("bank")

        accepted = Sum.from_dict(d.pop("accepted"))

        refunds = Sum.from_dict(d.pop("refunds"))

        net = d.pop("net")

        late = d.pop("late")

        open_ = Sum.from_dict(d.pop("open"))

        open_before = Sum.from_dict(d.pop("openBefore"))

        open_refunds = Sum.from_dict(d.pop("openRefunds"))

        not_followed = Sum.from_dict(d.pop("notFollowed"))

        day_report_profiles_item = cls(
            profile=profile,
            bank=bank,
            accepted=accepted,
            refunds=refunds,
            net=net,
            late=late,
            open_=open_,
            open_before=open_before,
            open_refunds=open_refunds,
            not_followed=not_followed,
        )

        day_report_profiles_item.additional_properties = d
        return day_report_profiles_item

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
