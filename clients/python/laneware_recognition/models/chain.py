from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define
from attrs import field as _attrs_field

if TYPE_CHECKING:
    from ..models.chain_configuration import ChainConfiguration


T = TypeVar("T", bound="Chain")


@_attrs_define
class Chain:
    """how it is between this store and its chain; never the secret

    Attributes:
        joined (bool): whether this device, as the master of its store, has joined a chain
        chain (None | str): what the chain is called
        store (None | str): what the chain calls this store
        servers (list[str]): of the chain’s hub: any of them will do
        joined_at (datetime.datetime | None): by the clock of the device, UTC
        connected (bool): whether the chain answered when it was last asked
        since (datetime.datetime | None): since when it does, or does not; null before the first look
        trouble (None | str): why it does not; null when it does
        configuration (ChainConfiguration | None): what the chain wants configured on this device, master or slave; null
            where it wants nothing
    """

    joined: bool
    chain: None | str
    store: None | str
    servers: list[str]
    joined_at: datetime.datetime | None
    connected: bool
    since: datetime.datetime | None
    trouble: None | str
    configuration: ChainConfiguration | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.chain_configuration import ChainConfiguration

        joined = self.joined

        chain: None | str
        chain = self.chain

        store: None | str
        store = self.store

        servers = self.servers

        joined_at: None | str
        if isinstance(self.joined_at, datetime.datetime):
            joined_at = self.joined_at.isoformat()
        else:
            joined_at = self.joined_at

        connected = self.connected

        since: None | str
        if isinstance(self.since, datetime.datetime):
            since = self.since.isoformat()
        else:
            since = self.since

        trouble: None | str
        trouble = self.trouble

        configuration: dict[str, Any] | None
        if isinstance(self.configuration, ChainConfiguration):
            configuration = self.configuration.to_dict()
        else:
            configuration = self.configuration

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "joined": joined,
                "chain": chain,
                "store": store,
                "servers": servers,
                "joinedAt": joined_at,
                "connected": connected,
                "since": since,
                "trouble": trouble,
                "configuration": configuration,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.chain_configuration import ChainConfiguration

        d = dict(src_dict)
        joined = d.pop("joined")

        def _parse_chain(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        chain = _parse_chain(d.pop("chain"))

        def _parse_store(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        store = _parse_store(d.pop("store"))

        servers = cast(list[str], d.pop("servers"))

        def _parse_joined_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                joined_at_type_0 = datetime.datetime.fromisoformat(data)

                return joined_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        joined_at = _parse_joined_at(d.pop("joinedAt"))

        connected = d.pop("connected")

        def _parse_since(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                since_type_0 = datetime.datetime.fromisoformat(data)

                return since_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        since = _parse_since(d.pop("since"))

        def _parse_trouble(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        trouble = _parse_trouble(d.pop("trouble"))

        def _parse_configuration(data: object) -> ChainConfiguration | None:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                configuration_type_0 = ChainConfiguration.from_dict(data)

                return configuration_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(ChainConfiguration | None, data)

        configuration = _parse_configuration(d.pop("configuration"))

        chain = cls(
            joined=joined,
            chain=chain,
            store=store,
            servers=servers,
            joined_at=joined_at,
            connected=connected,
            since=since,
            trouble=trouble,
            configuration=configuration,
        )

        chain.additional_properties = d
        return chain

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
