from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.payment_state import PaymentState

if TYPE_CHECKING:
    from ..models.payment_failure import PaymentFailure
    from ..models.sale_answer_warnings_item import SaleAnswerWarningsItem
    from ..models.silence import Silence


T = TypeVar("T", bound="SaleAnswer")


@_attrs_define
class SaleAnswer:
    """a payment, and what must be known beside it

    Attributes:
        id (str): names the payment: our order id at the bank
        number (int): its number in the ledger
        state (PaymentState): of the last call. PENDING: ask again. ACCEPTED: paid, for good. REJECTED, CANCELED, ERROR:
            not paid, as far as the bank has told; the other fields say why it is ERROR, and of PENDING why the bank does
            not tell. STATIC: a fixed code is shown, of which no bank tells. EMPTY: none yet
        amount (int): kopecks
        purpose (None | str): what it was for; null where the till named nothing
        profile (str): of the settings
        bank (str): `bankName` of the profile
        qrc_id (None | str): the bank's id of the payment; null until the bank has given one
        trx_id (None | str): the payment system's id of the transaction; null until it is paid, and at banks that do not
            tell
        payload (None | str): what its code carries; null until the bank has given one
        link (None | str): what a browser opens to pay it; null where its code carries no address
        till (None | str): name of the credential that asked for it; null where none was asked for
        reference (None | str): what the till calls it; null where it was not said
        created_at (datetime.datetime): when it was asked for, UTC
        expires_at (datetime.datetime | None): when its `ttl` is over, UTC: it stays open a minute longer, and as long
            as its bank does not tell; null of a static code
        ended_at (datetime.datetime | None): when its state changed last, UTC; null while it is open
        paid_at (datetime.datetime | None): when it was paid, by the bank's clock, UTC; null until it is paid, and where
            the bank does not tell
        refunded (int): kopecks that have gone back
        late (bool): accepted, and to be looked into by a person
        note (None | str): of the person who has looked into it; null where nobody has, or has noted nothing
        acknowledged_at (datetime.datetime | None): when somebody has looked into it, UTC; null where nobody has
        error (None | str): why it has failed; null unless it has, also while it is open
        failure (None | PaymentFailure): the same with its code; null where `error` is
        silence (None | Silence): why its bank does not tell how it stands; null where it tells, where it is not
            `PENDING`, and in events
        warnings (list[SaleAnswerWarningsItem]): what must be known beside it; empty most of the time
    """

    id: str
    number: int
    state: PaymentState
    amount: int
    purpose: None | str
    profile: str
    bank: str
    qrc_id: None | str
    trx_id: None | str
    payload: None | str
    link: None | str
    till: None | str
    reference: None | str
    created_at: datetime.datetime
    expires_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    paid_at: datetime.datetime | None
    refunded: int
    late: bool
    note: None | str
    acknowledged_at: datetime.datetime | None
    error: None | str
    failure: None | PaymentFailure
    silence: None | Silence
    warnings: list[SaleAnswerWarningsItem]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.payment_failure import PaymentFailure
        from ..models.silence import Silence

        id = self.id

        number = self.number

        state = self.state.value

        amount = self.amount

        purpose: None | str
        purpose = self.purpose

        profile = self.profile

        bank = self.bank

        qrc_id: None | str
        qrc_id = self.qrc_id

        trx_id: None | str
        trx_id = self.trx_id

        payload: None | str
        payload = self.payload

        link: None | str
        link = self.link

        till: None | str
        till = self.till

        reference: None | str
        reference = self.reference

        created_at = self.created_at.isoformat()

        expires_at: None | str
        if isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        ended_at: None | str
        if isinstance(self.ended_at, datetime.datetime):
            ended_at = self.ended_at.isoformat()
        else:
            ended_at = self.ended_at

        paid_at: None | str
        if isinstance(self.paid_at, datetime.datetime):
            paid_at = self.paid_at.isoformat()
        else:
            paid_at = self.paid_at

        refunded = self.refunded

        late = self.late

        note: None | str
        note = self.note

        acknowledged_at: None | str
        if isinstance(self.acknowledged_at, datetime.datetime):
            acknowledged_at = self.acknowledged_at.isoformat()
        else:
            acknowledged_at = self.acknowledged_at

        error: None | str
        error = self.error

        failure: dict[str, Any] | None
        if isinstance(self.failure, PaymentFailure):
            failure = self.failure.to_dict()
        else:
            failure = self.failure

        silence: dict[str, Any] | None
        if isinstance(self.silence, Silence):
            silence = self.silence.to_dict()
        else:
            silence = self.silence

        warnings = []
        for warnings_item_data in self.warnings:
            warnings_item = warnings_item_data.to_dict()
            warnings.append(warnings_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "number": number,
                "state": state,
                "amount": amount,
                "purpose": purpose,
                "profile": profile,
                "bank": bank,
                "qrcId": qrc_id,
                "trxId": trx_id,
                "payload": payload,
                "link": link,
                "till": till,
                "reference": reference,
                "createdAt": created_at,
                "expiresAt": expires_at,
                "endedAt": ended_at,
                "paidAt": paid_at,
                "refunded": refunded,
                "late": late,
                "note": note,
                "acknowledgedAt": acknowledged_at,
                "error": error,
                "failure": failure,
                "silence": silence,
                "warnings": warnings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.payment_failure import PaymentFailure
        from ..models.sale_answer_warnings_item import SaleAnswerWarningsItem
        from ..models.silence import Silence

        d = dict(src_dict)
        id = d.pop("id")

        number = d.pop("number")

        state = PaymentState(d.pop("state"))

        amount = d.pop("amount")

        def _parse_purpose(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        purpose = _parse_purpose(d.pop("purpose"))

        profile = d.pop("profile")

        bank = d.pop("bank")

        def _parse_qrc_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        qrc_id = _parse_qrc_id(d.pop("qrcId"))

        def _parse_trx_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        trx_id = _parse_trx_id(d.pop("trxId"))

        def _parse_payload(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        payload = _parse_payload(d.pop("payload"))

        def _parse_link(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        link = _parse_link(d.pop("link"))

        def _parse_till(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        till = _parse_till(d.pop("till"))

        def _parse_reference(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        reference = _parse_reference(d.pop("reference"))

        created_at = datetime.datetime.fromisoformat(d.pop("createdAt"))

        def _parse_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expires_at = _parse_expires_at(d.pop("expiresAt"))

        def _parse_ended_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                ended_at_type_0 = datetime.datetime.fromisoformat(data)

                return ended_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        ended_at = _parse_ended_at(d.pop("endedAt"))

        def _parse_paid_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                paid_at_type_0 = datetime.datetime.fromisoformat(data)

                return paid_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        paid_at = _parse_paid_at(d.pop("paidAt"))

        refunded = d.pop("refunded")

        late = d.pop("late")

        def _parse_note(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        note = _parse_note(d.pop("note"))

        def _parse_acknowledged_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                acknowledged_at_type_0 = datetime.datetime.fromisoformat(data)

                return acknowledged_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        acknowledged_at = _parse_acknowledged_at(d.pop("acknowledgedAt"))

        def _parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        error = _parse_error(d.pop("error"))

        def _parse_failure(data: object) -> None | PaymentFailure:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                failure_type_0 = PaymentFailure.from_dict(data)

                return failure_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PaymentFailure, data)

        failure = _parse_failure(d.pop("failure"))

        def _parse_silence(data: object) -> None | Silence:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                silence_type_0 = Silence.from_dict(data)

                return silence_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | Silence, data)

        silence = _parse_silence(d.pop("silence"))

        warnings = []
        _warnings = d.pop("warnings")
        for warnings_item_data in _warnings:
            warnings_item = SaleAnswerWarningsItem.from_dict(warnings_item_data)

            warnings.append(warnings_item)

        sale_answer = cls(
            id=id,
            number=number,
            state=state,
            amount=amount,
            purpose=purpose,
            profile=profile,
            bank=bank,
            qrc_id=qrc_id,
            trx_id=trx_id,
            payload=payload,
            link=link,
            till=till,
            reference=reference,
            created_at=created_at,
            expires_at=expires_at,
            ended_at=ended_at,
            paid_at=paid_at,
            refunded=refunded,
            late=late,
            note=note,
            acknowledged_at=acknowledged_at,
            error=error,
            failure=failure,
            silence=silence,
            warnings=warnings,
        )

        sale_answer.additional_properties = d
        return sale_answer

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
