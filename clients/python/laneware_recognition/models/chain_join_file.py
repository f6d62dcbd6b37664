from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    Self,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

T = TypeVar("T", bound="ChainJoinFile")


@_attrs_define
class ChainJoinFile:
    """
    Attributes:
        kind (Literal['laneware-chain-1']): what this file is
        chain (str): what the chain is called
        store (str): what the chain calls this store
        account (str): public key of the store’s account at the hub
        servers (list[str]): leaf-node addresses of the hub’s servers, as hub-1.example:7422
        authority (str): PEM: the authority of the hub’s certificates
        signing_key (str): PEM: the key (Ed25519) that the chain signs with what it sends down
        credentials (str): the secret of this store alone: it is kept sealed, and never told again
    """

    kind: Literal["laneware-chain-1"]
    chain: str
    store: str
    account: str
    servers: list[str]
    authority: str
    signing_key: str
    credentials: str

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        chain = self.chain

        store = self.store

        account = self.account

        servers = self.servers

        authority = self.authority

        signing_key = self.signing_key

        credentials = self.credentials

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "chain": chain,
                "store": store,
                "account": account,
                "servers": servers,
                "authority": authority,
                "signingKey": signing_key,
                "credentials": credentials,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        kind = cast(Literal["laneware-chain-1"], d.pop("kind"))
        if kind != "laneware-chain-1":
            raise ValueError(f"kind must match const 'laneware-chain-1', got '{kind}'")

        chain = d.pop("chain")

        store = d.pop("store")

        account = d.pop("account")

        servers = cast(list[str], d.pop("servers"))

        authority = d.pop("authority")

        signing_key = d.pop("signingKey")

        credentials = d.pop("credentials")

        chain_join_file = cls(
            kind=kind,
            chain=chain,
            store=store,
            account=account,
            servers=servers,
            authority=authority,
            signing_key=signing_key,
            credentials=credentials,
        )

        return chain_join_file
