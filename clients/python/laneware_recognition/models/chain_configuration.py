from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.chain_configuration_state import ChainConfigurationState

if TYPE_CHECKING:
    from ..models.chain_configuration_settings import ChainConfigurationSettings


T = TypeVar("T", bound="ChainConfiguration")


@_attrs_define
class ChainConfiguration:
    """
    Attributes:
        state (ChainConfigurationState): taken: the device has run well with it; pending: it is tried, or waits for a
            restart that cuts no payment short; refused: it cannot be used; undone: the device did not run well with it
        number (int): of the newest document of the chain that it comes from
        reason (str): why; empty when it is taken
        settings (ChainConfigurationSettings): keys of the configuration that the chain has set and that are in force
            now
    """

    state: ChainConfigurationState
    number: int
    reason: str
    settings: ChainConfigurationSettings
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        state = self.state.value

        number = self.number

        reason = self.reason

        settings = self.settings.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "state": state,
                "number": number,
                "reason": reason,
                "settings": settings,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        from ..models.chain_configuration_settings import ChainConfigurationSettings

        d = dict(src_dict)
        state = ChainConfigurationState(d.pop("state"))

        number = d.pop("number")

        reason = d.pop("reason")

        settings = ChainConfigurationSettings.from_dict(d.pop("settings"))

        chain_configuration = cls(
            state=state,
            number=number,
            reason=reason,
            settings=settings,
        )

        chain_configuration.additional_properties = d
        return chain_configuration

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
