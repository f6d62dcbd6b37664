from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.registry_columns import RegistryColumns


T = TypeVar("T", bound="Registry")


@_attrs_define
class Registry:
    """
    Attributes:
        from_ (str): the first day, in the time zone of the device
        file (str): the registry as the bank sent it (CSV; UTF-8, UTF-16, windows-1251 or cp866), base64, up to 16777216
            bytes
        to (None | str | Unset):
        profile (None | str | Unset):
        columns (None | RegistryColumns | Unset):
        registry (None | str | Unset):
    """

    from_: str
    file: str
    to: None | str | Unset = UNSET
    profile: None | str | Unset = UNSET
    columns: None | RegistryColumns | Unset = UNSET
    registry: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        from ..models.registry_columns import RegistryColumns

        from_ = self.from_

        file = self.file

        to: None | str | Unset
        if isinstance(self.to, Unset):
            to = UNSET
        else:
            to = self.to

        profile: None | str | Unset
        if isinstance(self.profile, Unset):
            profile = UNSET
        else:
            profile = self.profile

        columns: dict[str, Any] | None | Unset
        if isinstance(self.columns, Unset):
            columns = UNSET
        elif isinstance(self.columns, RegistryColumns):
            columns = self.columns.to_dict()
        else:
            columns = self.columns

        registry: None | str | Unset
        if isinstance(self.registry, Unset):
            registry = UNSET
        else:
            registry = self.registry

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "from": from_,
                "file": file,
            }
        )
        if to is not UNSET:
            field_dict["to"] = to
        if profile is not UNSET:
            field_dict["profile"] = profile
        if columns is not UNSET:
            field_dict["columns"] = columns
        if registry is not UNSET:
            field_dict["registry"] = registry

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.registry_columns import RegistryColumns

        d = dict(src_dict)
        from_ = d.pop("from")

        file = d.pop("file")

        def _parse_to(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        to = _parse_to(d.pop("to", UNSET))

        def _parse_profile(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        profile = _parse_profile(d.pop("profile", UNSET))

        def _parse_columns(data: object) -> None | RegistryColumns | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                columns_type_0 = RegistryColumns.from_dict(data)

                return columns_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | RegistryColumns | Unset, data)

        columns = _parse_columns(d.pop("columns", UNSET))

        def _parse_registry(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        registry = _parse_registry(d.pop("registry", UNSET))

        registry = cls(
            from_=from_,
            file=file,
            to=to,
            profile=profile,
            columns=columns,
            registry=registry,
        )

        return registry
