from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..models.speed import Speed
from ..models.sync_role import SyncRole

T = TypeVar("T", bound="DeviceInfoData")


@_attrs_define
class DeviceInfoData:
    """
    Attributes:
        app (str):
        engine (str): identity of the model; empty where none is there
        firmware (str):
        board (str):
        sn (str):
        item_count (int):
        template_count (int):
        learn_mode (int):
        max_result_num (int):
        predict_speed (Speed): how much work one recognition may be
        master_ip (str):
        master_sn (str):
        mastersync_port (int):
        upload (bool):
        download (bool):
        sync (bool): whether this device takes part in synchronisation
        sync_mode (SyncRole):
        sync_limit (int): templates of one synchronisation; 0: no limit
        sold_out_limit (int): days after which an unsold item is removed; 0: never
    """

    app: str
    engine: str
    firmware: str
    board: str
    sn: str
    item_count: int
    template_count: int
    learn_mode: int
    max_result_num: int
    predict_speed: Speed
    master_ip: str
    master_sn: str
    mastersync_port: int
    upload: bool
    download: bool
    sync: bool
    sync_mode: SyncRole
    sync_limit: int
    sold_out_limit: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        app = self.app

        engine = self.engine

        firmware = self.firmware

        board = self.board

        sn = self.sn

        item_count = self.item_count

        template_count = self.template_count

        learn_mode = self.learn_mode

        max_result_num = self.max_result_num

        predict_speed = self.predict_speed.value

        master_ip = self.master_ip

        master_sn = self.master_sn

        mastersync_port = self.mastersync_port

        upload = self.upload

        download = self.download

        sync = self.sync

        sync_mode = self.sync_mode.value

        sync_limit = self.sync_limit

        sold_out_limit = self.sold_out_limit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "app": app,
                "engine": engine,
                "firmware": firmware,
                "board": board,
                "sn": sn,
                "item_count": item_count,
                "template_count": template_count,
                "learnMode": learn_mode,
                "max_result_num": max_result_num,
                "predict_speed": predict_speed,
                "masterIP": master_ip,
                "masterSN": master_sn,
                "mastersyncPort": mastersync_port,
                "upload": upload,
                "download": download,
                "sync": sync,
                "syncMode": sync_mode,
                "sync_limit": sync_limit,
                "soldOutLimit": sold_out_limit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls, src_dict: Mapping[str, Any]) -> Self:
        d = dict(src_dict)
        app = d.pop("app")

        engine = d.pop("engine")

        firmware = d.pop("firmware")

        board = d.pop("board")

        sn = d.pop("sn")

        item_count = d.pop("item_count")

        template_count = d.pop("template_count")

        learn_mode = d.pop("learnMode")

        max_result_num = d.pop("max_result_num")

        predict_speed = Speed(d.pop("predict_speed"))

        master_ip = d.pop("masterIP")

        master_sn = d.pop("masterSN")

        mastersync_port = d.pop("mastersyncPort")

        upload = d.pop("upload")

        download = d.pop("download")

        sync = d.pop("sync")

        sync_mode = SyncRole(d.pop("syncMode"))

        sync_limit = d.pop("sync_limit")

        sold_out_limit = d.pop("soldOutLimit")

        device_info_data = cls(
            app=app,
            engine=engine,
            firmware=firmware,
            board=board,
            sn=sn,
            item_count=item_count,
            template_count=template_count,
            learn_mode=learn_mode,
            max_result_num=max_result_num,
            predict_speed=predict_speed,
            master_ip=master_ip,
            master_sn=master_sn,
            mastersync_port=mastersync_port,
            upload=upload,
            download=download,
            sync=sync,
            sync_mode=sync_mode,
            sync_limit=sync_limit,
            sold_out_limit=sold_out_limit,
        )

        device_info_data.additional_properties = d
        return device_info_data

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
