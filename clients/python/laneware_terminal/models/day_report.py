from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.day_report_profiles_item import DayReportProfilesItem
    from ..models.day_report_totals import DayReportTotals
    from ..models.hour_totals import HourTotals


T = TypeVar("T", bound="DayReport")


@_attrs_define
class DayReport:
    """the totals of a day

    Attributes:
        day (str):
        today (str): the day of now
        time_zone (str): of the device: its days are meant
        from_ (datetime.datetime):
        to (datetime.datetime): the first moment of the next day
        hours (list[HourTotals]): accepted in each hour of the day, by the clock of the device
        profiles (list[DayReportProfilesItem]):
        totals (DayReportTotals): of all profiles
    """

    day: str
    today: str
    time_zone: str
    from_: datetime.datetime
    to: datetime.datetime
    hours: list[HourTotals]
    profiles: list[DayReportProfilesItem]
    totals: DayReportTotals
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        day = self.day

        today = self.today

        time_zone = self.time_zone

        from_ = self.from_.isoformat()

        to = self.to.isoformat()

        hours = []
        for hours_item_data in self.hours:
            hours_item = hours_item_data.to_dict()
            hours.append(hours_item)

        profiles = []
        for profiles_item_data in self.profiles:
            profiles_item = profiles_item_data.to_dict()
            profiles.append(profiles_item)

        totals = self.totals.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "day": day,
                "today": today,
                "timeZone": time_zone,
                "from": from_,
                "to": to,
                "hours": hours,
                "profiles": profiles,
                "totals": totals,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.day_report_profiles_item import DayReportProfilesItem
        from ..models.day_report_totals import DayReportTotals
        from ..models.hour_totals import HourTotals

        d = dict(src_dict)
        day = d.pop("day")

        today = d.pop("today")

        time_zone = d.pop("timeZone")

        from_ = datetime.datetime.fromisoformat(d.pop("from"))

        to = datetime.datetime.fromisoformat(d.pop("to"))

        hours = []
        _hours = d.pop("hours")
        for hours_item_data in _hours:
            hours_item = HourTotals.from_dict(hours_item_data)

            hours.append(hours_item)

        profiles = []
        _profiles = d.pop("profiles")
        for profiles_item_data in _profiles:
            profiles_item = DayReportProfilesItem.from_dict(profiles_item_data)

            profiles.append(profiles_item)

        totals = DayReportTotals.from_dict(d.pop("totals"))

        day_report = cls(
            day=day,
            today=today,
            time_zone=time_zone,
            from_=from_,
            to=to,
            hours=hours,
            profiles=profiles,
            totals=totals,
        )

        day_report.additional_properties = d
        return day_report

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
