from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.call_credential import CallCredential
from ..models.call_origin import CallOrigin
from ..models.call_port import CallPort

T = TypeVar("T", bound="TillCallSummary")


@_attrs_define
class TillCallSummary:
    """a call without its bodies

    Attributes:
        n (int): greater by one with each call; it begins at 1 when the device starts
        at (datetime.datetime): when it was over, by the clock of the device, UTC
        port (CallPort): where it came in
        origin (CallOrigin): till: a program. page: a page in a browser. watch: somebody looks whether the device is
            well
        method (str):
        path (str): with its query, secrets masked
        status (int): HTTP status of the answer
        hung_up (bool): the caller was gone before it had the answer whole
        stream (bool): it stays open: told once, when it begins
        ms (float): how long it took
        request_id (str): `Laneware-Request-Id` of the answer, `reqId` in the log
        error (None | str): the code of the failure that the answer tells of
        address (str): of the caller
        credential (CallCredential): how it was let in
        till (None | str): name of the till whose token it sent
    """

    n: int
    at: datetime.datetime
    port: CallPort
    origin: CallOrigin
    method: str
    path: str
    status: int
    hung_up: bool
    stream: bool
    ms: float
    request_id: str
    error: None | str
    address: str
    credential: CallCredential
    till: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        n = self.n

        at = self.at.isoformat()

        port = self.port.value

        origin = self.origin.value

        method = self.method

        path = self.path

        status = self.status

        hung_up = self.hung_up

        stream = self.stream

        ms = self.ms

        request_id = self.request_id

        error: None | str
        error = self.error

        address = self.address

        credential = self.credential.value

        till: None | str
        till = self.till

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "n": n,
                "at": at,
                "port": port,
                "origin": origin,
                "method": method,
                "path": path,
                "status": status,
                "hungUp": hung_up,
                "stream": stream,
                "ms": ms,
                "requestId": request_id,
                "error": error,
                "address": address,
                "credential": credential,
                "till": till,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        n = d.pop("n")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        port = CallPort(d.pop("port"))

        origin = CallOrigin(d.pop("origin"))

        method = d.pop("method")

        path = d.pop("path")

        status = d.pop("status")

        hung_up = d.pop("hungUp")

        stream = d.pop("stream")

        ms = d.pop("ms")

        request_id = d.pop("requestId")

        def _parse_error(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        error = _parse_error(d.pop("error"))

        address = d.pop("address")

        credential = CallCredential(d.pop("credential"))

        def _parse_till(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        till = _parse_till(d.pop("till"))

        till_call_summary = cls(
            n=n,
            at=at,
            port=port,
            origin=origin,
            method=method,
            path=path,
            status=status,
            hung_up=hung_up,
            stream=stream,
            ms=ms,
            request_id=request_id,
            error=error,
            address=address,
            credential=credential,
            till=till,
        )

        till_call_summary.additional_properties = d
        return till_call_summary

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
