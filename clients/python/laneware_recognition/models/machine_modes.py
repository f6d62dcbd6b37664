from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

T = TypeVar("T", bound="MachineModes")


@_attrs_define
class MachineModes:
    """
    Attributes:
        sandbox (bool): the bank is a play one
        tls (bool): callers from the network are encrypted
        network (bool): others than this machine may call
        needs_token (bool): they must send a token
        camera (str): what the configuration calls it
        display_language (str):
    """

    sandbox: bool
    tls: bool
    network: bool
    needs_token: bool
    camera: str
    display_language: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        sandbox = self.sandbox

        tls = self.tls

        network = self.network

        needs_token = self.needs_token

        camera = self.camera

        display_language = self.display_language

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "sandbox": sandbox,
                "tls": tls,
                "network": network,
                "needsToken": needs_token,
                "camera": camera,
                "displayLanguage": display_language,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        sandbox = d.pop("sandbox")

        tls = d.pop("tls")

        network = d.pop("network")

        needs_token = d.pop("needsToken")

        camera = d.pop("camera")

        display_language = d.pop("displayLanguage")

        machine_modes = cls(
            sandbox=sandbox,
            tls=tls,
            network=network,
            needs_token=needs_token,
            camera=camera,
            display_language=display_language,
        )

        machine_modes.additional_properties = d
        return machine_modes

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
