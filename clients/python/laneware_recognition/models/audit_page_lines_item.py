from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.audit_page_lines_item_credential import AuditPageLinesItemCredential
from ..models.audit_page_lines_item_outcome import AuditPageLinesItemOutcome
from ..models.signed_in_by import SignedInBy
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.audit_page_lines_item_what import AuditPageLinesItemWhat


T = TypeVar("T", bound="AuditPageLinesItem")


@_attrs_define
class AuditPageLinesItem:
    """
    Attributes:
        n (int): number of the line: it grows whatever the clock does
        at (str): wall clock of the device, UTC; it may have been wrong
        boot (str): names the boot of the machine
        up (float): seconds since that boot, which no clock setting changes
        address (None | str): of the caller; null where nobody called
        credential (AuditPageLinesItemCredential):
        deed (str): what was asked for
        what (AuditPageLinesItemWhat): names of what it was about
        outcome (AuditPageLinesItemOutcome):
        till (str | Unset): name of the till, where its token is one of `api.tills`
        signed_in_by (SignedInBy | Unset): with what somebody has signed in at a page
        code (int | Unset): code of the failure in the answer, or its HTTP status
        why (str | Unset): of a refusal
        times (int | Unset): how often, where one line stands for many
    """

    n: int
    at: str
    boot: str
    up: float
    address: None | str
    credential: AuditPageLinesItemCredential
    deed: str
    what: AuditPageLinesItemWhat
    outcome: AuditPageLinesItemOutcome
    till: str | Unset = UNSET
    signed_in_by: SignedInBy | Unset = UNSET
    code: int | Unset = UNSET
    why: str | Unset = UNSET
    times: int | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        n = self.n

        at = self.at

        boot = self.boot

        up = self.up

        address: None | str
        address = self.address

        credential = self.credential.value

        deed = self.deed

        what = self.what.to_dict()

        outcome = self.outcome.value

        till = self.till

        signed_in_by: str | Unset = UNSET
        if not isinstance(self.signed_in_by, Unset):
            signed_in_by = self.signed_in_by.value

        code = self.code

        why = self.why

        times = self.times

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "n": n,
                "at": at,
                "boot": boot,
                "up": up,
                "address": address,
                "credential": credential,
                "deed": deed,
                "what": what,
                "outcome": outcome,
            }
        )
        if till is not UNSET:
            field_dict["till"] = till
        if signed_in_by is not UNSET:
            field_dict["signedInBy"] = signed_in_by
        if code is not UNSET:
            field_dict["code"] = code
        if why is not UNSET:
            field_dict["why"] = why
        if times is not UNSET:
            field_dict["times"] = times

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.audit_page_lines_item_what import AuditPageLinesItemWhat

        d = dict(src_dict)
        n = d.pop("n")

        at = d.pop("at")

        boot = d.pop("boot")

        up = d.pop("up")

        def _parse_address(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        address = _parse_address(d.pop("address"))

        credential = AuditPageLinesItemCredential(d.pop("credential"))

        deed = d.pop("deed")

        what = AuditPageLinesItemWhat.from_dict(d.pop("what"))

        outcome = AuditPageLinesItemOutcome(d.pop("outcome"))

        till = d.pop("till", UNSET)

        _signed_in_by = d.pop("signedInBy", UNSET)
        signed_in_by: SignedInBy | Unset
        if isinstance(_signed_in_by, Unset):
            signed_in_by = UNSET
        else:
            signed_in_by = SignedInBy(_signed_in_by)

        code = d.pop("code", UNSET)

        why = d.pop("why", UNSET)

        times = d.pop("times", UNSET)

        audit_page_lines_item = cls(
            n=n,
            at=at,
            boot=boot,
            up=up,
            address=address,
            credential=credential,
            deed=deed,
            what=what,
            outcome=outcome,
            till=till,
            signed_in_by=signed_in_by,
            code=code,
            why=why,
            times=times,
        )

        audit_page_lines_item.additional_properties = d
        return audit_page_lines_item

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
