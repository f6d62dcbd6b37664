from __future__ import annotations

from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.display_language import DisplayLanguage
from ..models.picture_kind import PictureKind
from ..models.symbol import Symbol
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.claim_on_display import ClaimOnDisplay
    from ..models.display_link import DisplayLink
    from ..models.qr_drawing import QrDrawing


T = TypeVar("T", bound="DisplayPicture")


@_attrs_define
class DisplayPicture:
    """the state, with the drawing of its code

    Attributes:
        code (Literal[0]):
        kind (PictureKind):
        test (bool): whether the bank is the sandbox: no real money moves
        language (DisplayLanguage): what the screen speaks, as `terminal.displayLanguage` has it
        display (DisplayLink): the link to the real display; `closed` until one is set up
        payload (str | Unset): of `qr`: what the code holds
        amount (int | Unset): of `qr`, where it is a payment: kopecks
        purpose (str | Unset): of `qr`, where the payment has one
        left_ms (int | Unset): of `qr`, where it is a payment: how long its code can still be paid
        claim (ClaimOnDisplay | Unset): of a code for the technician: told to pages of the machine itself, which are its
            screen; to all others the display is then clear
        status (Symbol | Unset): of `status`: the symbol
        qr (QrDrawing | Unset): of `qr`: how to draw it, so that no page can draw a code that is no longer the present
            one
    """

    code: Literal[0]
    kind: PictureKind
    test: bool
    language: DisplayLanguage
    display: DisplayLink
    payload: str | Unset = UNSET
    amount: int | Unset = UNSET
    purpose: str | Unset = UNSET
    left_ms: int | Unset = UNSET
    claim: ClaimOnDisplay | Unset = UNSET
    status: Symbol | Unset = UNSET
    qr: QrDrawing | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        code = self.code

        kind = self.kind.value

        test = self.test

        language = self.language.value

        display = self.display.to_dict()

        payload = self.payload

        amount = self.amount

        purpose = self.purpose

        left_ms = self.left_ms

        claim: dict[str, Any] | Unset = UNSET
        if not isinstance(self.claim, Unset):
            claim = self.claim.to_dict()

        status: str | Unset = UNSET
        if not isinstance(self.status, Unset):
            status = self.status.value

        qr: dict[str, Any] | Unset = UNSET
        if not isinstance(self.qr, Unset):
            qr = self.qr.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "code": code,
                "kind": kind,
                "test": test,
                "language": language,
                "display": display,
            }
        )
        if payload is not UNSET:
            field_dict["payload"] = payload
        if amount is not UNSET:
            field_dict["amount"] = amount
        if purpose is not UNSET:
            field_dict["purpose"] = purpose
        if left_ms is not UNSET:
            field_dict["leftMs"] = left_ms
        if claim is not UNSET:
            field_dict["claim"] = claim
        if status is not UNSET:
            field_dict["status"] = status
        if qr is not UNSET:
            field_dict["qr"] = qr

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.claim_on_display import ClaimOnDisplay
        from ..models.display_link import DisplayLink
        from ..models.qr_drawing import QrDrawing

        d = dict(src_dict)
        code = cast(Literal[0], d.pop("code"))
        if code != 0:
            raise ValueError(f"code must match const 0, got '{code}'")

        kind = PictureKind(d.pop("kind"))

        test = d.pop("test")

        language = DisplayLanguage(d.pop("language"))

        display = DisplayLink.from_dict(d.pop("display"))

        payload = d.pop("payload", UNSET)

        amount = d.pop("amount", UNSET)

        purpose = d.pop("purpose", UNSET)

        left_ms = d.pop("leftMs", UNSET)

        _claim = d.pop("claim", UNSET)
        claim: ClaimOnDisplay | Unset
        if isinstance(_claim, Unset):
            claim = UNSET
        else:
            claim = ClaimOnDisplay.from_dict(_claim)

        _status = d.pop("status", UNSET)
        status: Symbol | Unset
        if isinstance(_status, Unset):
            status = UNSET
        else:
            status = Symbol(_status)

        _qr = d.pop("qr", UNSET)
        qr: QrDrawing | Unset
        if isinstance(_qr, Unset):
            qr = UNSET
        else:
            qr = QrDrawing.from_dict(_qr)

        display_picture = cls(
            code=code,
            kind=kind,
            test=test,
            language=language,
            display=display,
            payload=payload,
            amount=amount,
            purpose=purpose,
            left_ms=left_ms,
            claim=claim,
            status=status,
            qr=qr,
        )

        display_picture.additional_properties = d
        return display_picture

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
