from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.profile_to_try import ProfileToTry


T = TypeVar("T", bound="BankToTry")


@_attrs_define
class BankToTry:
    """
    Attributes:
        bank_profile (str | Unset): name of a kept profile, whose secrets stand for those that are left out; else the
            one in use
        profile (ProfileToTry | Unset): a profile as in the settings; left out, the kept one is tried as it is
    """

    bank_profile: str | Unset = UNSET
    profile: ProfileToTry | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        bank_profile = self.bank_profile

        profile: dict[str, Any] | Unset = UNSET
        if not isinstance(self.profile, Unset):
            profile = self.profile.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if bank_profile is not UNSET:
            field_dict["bankProfile"] = bank_profile
        if profile is not UNSET:
            field_dict["profile"] = profile

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.profile_to_try import ProfileToTry

        d = dict(src_dict)
        bank_profile = d.pop("bankProfile", UNSET)

        _profile = d.pop("profile", UNSET)
        profile: ProfileToTry | Unset
        if isinstance(_profile, Unset):
            profile = UNSET
        else:
            profile = ProfileToTry.from_dict(_profile)

        bank_to_try = cls(
            bank_profile=bank_profile,
            profile=profile,
        )

        return bank_to_try
