from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.console_state_certificate_type_0 import ConsoleStateCertificateType0
    from ..models.console_state_settings import ConsoleStateSettings
    from ..models.display_picture import DisplayPicture
    from ..models.health_report import HealthReport
    from ..models.payment_view import PaymentView


T = TypeVar("T", bound="ConsoleState")


@_attrs_define
class ConsoleState:
    """what the device is doing

    Attributes:
        health (HealthReport):
        settings (ConsoleStateSettings):
        sandbox_url (None | str): where the sandbox bank answers; null where it does not run
        terminal_url (str): where the nine calls answer, on this machine
        terminal_on_network (bool): whether they answer callers from the network too
        certificate (ConsoleStateCertificateType0 | None): what callers from the network are shown; null where they
            speak no TLS
        needs_token (bool): whether callers from the network must send a token
        display (DisplayPicture): the state, with the drawing of its code
        payment (None | PaymentView): the payment of the last call: the one that getDynamicQRStatus speaks of
        recent (list[PaymentView]): newest first
        late (list[PaymentView]): to be looked into, the latest first
        late_count (int): how many there are in all
        items_revision (int): another one: something was said, learned, or deleted of the items, or is about to be
        uncertain (int): another one: the list of uncertain answers, `GET /v1/recognition/uncertain`, is another
        log_lines (int): number of the last line that `GET /v1/log` lists
        calls (int): number of the last call of a till that `GET /v1/calls` lists
    """

    health: HealthReport
    settings: ConsoleStateSettings
    sandbox_url: None | str
    terminal_url: str
    terminal_on_network: bool
    certificate: ConsoleStateCertificateType0 | None
    needs_token: bool
    display: DisplayPicture
    payment: None | PaymentView
    recent: list[PaymentView]
    late: list[PaymentView]
    late_count: int
    items_revision: int
    uncertain: int
    log_lines: int
    calls: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.console_state_certificate_type_0 import (
            ConsoleStateCertificateType0,
        )
        from ..models.payment_view import PaymentView

        health = self.health.to_dict()

        settings = self.settings.to_dict()

        sandbox_url: None | str
        sandbox_url = self.sandbox_url

        terminal_url = self.terminal_url

        terminal_on_network = self.terminal_on_network

        certificate: dict[str, Any] | None
        if isinstance(self.certificate, ConsoleStateCertificateType0):
            certificate = self.certificate.to_dict()
        else:
            certificate = self.certificate

        needs_token = self.needs_token

        display = self.display.to_dict()

        payment: dict[str, Any] | None
        if isinstance(self.payment, PaymentView):
            payment = self.payment.to_dict()
        else:
            payment = self.payment

        recent = []
        for recent_item_data in self.recent:
            recent_item = recent_item_data.to_dict()
            recent.append(recent_item)

        late = []
        for late_item_data in self.late:
            late_item = late_item_data.to_dict()
            late.append(late_item)

        late_count = self.late_count

        items_revision = self.items_revision

        uncertain = self.uncertain

        log_lines = self.log_lines

        calls = self.calls

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "health": health,
                "settings": settings,
                "sandboxUrl": sandbox_url,
                "terminalUrl": terminal_url,
                "terminalOnNetwork": terminal_on_network,
                "certificate": certificate,
                "needsToken": needs_token,
                "display": display,
                "payment": payment,
                "recent": recent,
                "late": late,
                "lateCount": late_count,
                "itemsRevision": items_revision,
                "uncertain": uncertain,
                "logLines": log_lines,
                "calls": calls,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.console_state_certificate_type_0 import (
            ConsoleStateCertificateType0,
        )
        from ..models.console_state_settings import ConsoleStateSettings
        from ..models.display_picture import DisplayPicture
        from ..models.health_report import HealthReport
        from ..models.payment_view import PaymentView

        d = dict(src_dict)
        health = HealthReport.from_dict(d.pop("health"))

        settings = ConsoleStateSettings.from_dict(d.pop("settings"))

        def _parse_sandbox_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        sandbox_url = _parse_sandbox_url(d.pop("sandboxUrl"))

        terminal_url = d.pop("terminalUrl")

        terminal_on_network = d.pop("terminalOnNetwork")

        def _parse_certificate(data: object) -> ConsoleStateCertificateType0 | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                certificate_type_0 = ConsoleStateCertificateType0.from_dict(data)

                return certificate_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ConsoleStateCertificateType0 | None, data)

        certificate = _parse_certificate(d.pop("certificate"))

        needs_token = d.pop("needsToken")

        display = DisplayPicture.from_dict(d.pop("display"))

        def _parse_payment(data: object) -> None | PaymentView:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                payment_type_0 = PaymentView.from_dict(data)

                return payment_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PaymentView, data)

        payment = _parse_payment(d.pop("payment"))

        recent = []
        _recent = d.pop("recent")
        for recent_item_data in _recent:
            recent_item = PaymentView.from_dict(recent_item_data)

            recent.append(recent_item)

        late = []
        _late = d.pop("late")
        for late_item_data in _late:
            late_item = PaymentView.from_dict(late_item_data)

            late.append(late_item)

        late_count = d.pop("lateCount")

        items_revision = d.pop("itemsRevision")

        uncertain = d.pop("uncertain")

        log_lines = d.pop("logLines")

        calls = d.pop("calls")

        console_state = cls(
            health=health,
            settings=settings,
            sandbox_url=sandbox_url,
            terminal_url=terminal_url,
            terminal_on_network=terminal_on_network,
            certificate=certificate,
            needs_token=needs_token,
            display=display,
            payment=payment,
            recent=recent,
            late=late,
            late_count=late_count,
            items_revision=items_revision,
            uncertain=uncertain,
            log_lines=log_lines,
            calls=calls,
        )

        console_state.additional_properties = d
        return console_state

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
