"""Contains all the data models used in inputs/outputs"""

from .added_template import AddedTemplate
from .added_template_data import AddedTemplateData
from .alike_item import AlikeItem
from .area import Area
from .assignment import Assignment
from .assignment_judged_item import AssignmentJudgedItem
from .assignment_wish import AssignmentWish
from .audit_page import AuditPage
from .audit_page_lines_item import AuditPageLinesItem
from .audit_page_lines_item_credential import AuditPageLinesItemCredential
from .audit_page_lines_item_outcome import AuditPageLinesItemOutcome
from .audit_page_lines_item_what import AuditPageLinesItemWhat
from .backup_ready import BackupReady
from .backups import Backups
from .backups_last_type_0 import BackupsLastType0
from .beat_event import BeatEvent
from .begun import Begun
from .calibration import Calibration
from .camera_sight import CameraSight
from .camera_sight_things_item import CameraSightThingsItem
from .camera_sight_things_item_cover_type_0 import CameraSightThingsItemCoverType0
from .candidate import Candidate
from .chain import Chain
from .chain_configuration import ChainConfiguration
from .chain_configuration_settings import ChainConfigurationSettings
from .chain_configuration_state import ChainConfigurationState
from .chain_join_file import ChainJoinFile
from .claim import Claim
from .claim_on_display import ClaimOnDisplay
from .clock_source import ClockSource
from .confirmation import Confirmation
from .confirmed import Confirmed
from .console_state import ConsoleState
from .console_state_certificate_type_0 import ConsoleStateCertificateType0
from .console_state_settings import ConsoleStateSettings
from .console_state_settings_display_type_0 import ConsoleStateSettingsDisplayType0
from .current_area import CurrentArea
from .current_extra_info import CurrentExtraInfo
from .current_extra_info_data import CurrentExtraInfoData
from .current_learning_mode import CurrentLearningMode
from .current_learning_mode_data import CurrentLearningModeData
from .current_sync_limit import CurrentSyncLimit
from .deed_done import DeedDone
from .deleted_here import DeletedHere
from .deleted_item import DeletedItem
from .deletion import Deletion
from .deletion_progress import DeletionProgress
from .deletion_progress_data import DeletionProgressData
from .deletion_wish import DeletionWish
from .deletions import Deletions
from .device_info import DeviceInfo
from .device_info_data import DeviceInfoData
from .display_event import DisplayEvent
from .display_language import DisplayLanguage
from .display_link import DisplayLink
from .display_link_state import DisplayLinkState
from .display_picture import DisplayPicture
from .display_state import DisplayState
from .done import Done
from .empty_tray import EmptyTray
from .export import Export
from .export_items_format import ExportItemsFormat
from .extra_info import ExtraInfo
from .failure import Failure
from .feedback import Feedback
from .feedback_taken import FeedbackTaken
from .feedback_taken_data import FeedbackTakenData
from .flaw import Flaw
from .forgotten import Forgotten
from .forgotten_template import ForgottenTemplate
from .frame import Frame
from .frame_data import FrameData
from .frame_of_now import FrameOfNow
from .gallery_health import GalleryHealth
from .health import Health
from .health_reason import HealthReason
from .health_reason_about import HealthReasonAbout
from .health_report import HealthReport
from .hello_event import HelloEvent
from .import_ import Import
from .item import Item
from .item_changes import ItemChanges
from .item_counts import ItemCounts
from .item_counts_data_item import ItemCountsDataItem
from .item_deletion import ItemDeletion
from .item_deletion_templates import ItemDeletionTemplates
from .item_entry import ItemEntry
from .item_fields import ItemFields
from .item_of import ItemOf
from .item_ranks import ItemRanks
from .item_ranks_items_item import ItemRanksItemsItem
from .items_file import ItemsFile
from .items_imported import ItemsImported
from .items_page import ItemsPage
from .joined_store import JoinedStore
from .learn_empty_tray_things import LearnEmptyTrayThings
from .learn_template_unlike import LearnTemplateUnlike
from .learned_item import LearnedItem
from .learned_items import LearnedItems
from .learned_template import LearnedTemplate
from .learning_mode import LearningMode
from .learning_mode_mode import LearningModeMode
from .log_level import LogLevel
from .log_line import LogLine
from .log_page import LogPage
from .log_part import LogPart
from .look_alike_cure import LookAlikeCure
from .look_alike_pair import LookAlikePair
from .look_alikes import LookAlikes
from .look_measures import LookMeasures
from .machine import Machine
from .machine_clock import MachineClock
from .machine_modes import MachineModes
from .made_token import MadeToken
from .master import Master
from .measured_tray import MeasuredTray
from .measured_tray_picture import MeasuredTrayPicture
from .measured_tray_pixels_per_cm import MeasuredTrayPixelsPerCm
from .named_white import NamedWhite
from .named_white_colour import NamedWhiteColour
from .new_backup import NewBackup
from .overview_event import OverviewEvent
from .package_state import PackageState
from .package_task import PackageTask
from .package_task_counts import PackageTaskCounts
from .pairing_code import PairingCode
from .pairing_code_data import PairingCodeData
from .pairing_picture import PairingPicture
from .part_health import PartHealth
from .part_of_frame import PartOfFrame
from .part_state import PartState
from .payment import Payment
from .payment_failure import PaymentFailure
from .payment_state import PaymentState
from .payment_view import PaymentView
from .person import Person
from .picture_kind import PictureKind
from .pin_kept import PinKept
from .pins import Pins
from .ports import Ports
from .predict_speed import PredictSpeed
from .problem import Problem
from .qr_drawing import QrDrawing
from .rank_question import RankQuestion
from .ranks import Ranks
from .read_code import ReadCode
from .recognised_by import RecognisedBy
from .recognition import Recognition
from .recognition_area import RecognitionArea
from .remove_item_templates import RemoveItemTemplates
from .restore_form import RestoreForm
from .result import Result
from .result_count import ResultCount
from .result_data import ResultData
from .result_data_items_item import ResultDataItemsItem
from .result_data_verdict import ResultDataVerdict
from .result_data_verdict_reason_type_0 import ResultDataVerdictReasonType0
from .revoked_device import RevokedDevice
from .sandbox_deed import SandboxDeed
from .sandbox_deed_does import SandboxDeedDoes
from .session import Session
from .sheet_on_tray import SheetOnTray
from .sign_in import SignIn
from .signed_in_by import SignedInBy
from .signed_out import SignedOut
from .silence import Silence
from .slave import Slave
from .speed import Speed
from .speed_by import SpeedBy
from .store import Store
from .store_device import StoreDevice
from .store_mark import StoreMark
from .store_marks import StoreMarks
from .store_pairing_code import StorePairingCode
from .store_round import StoreRound
from .store_wipe import StoreWipe
from .stray_template import StrayTemplate
from .stray_template_looks_like import StrayTemplateLooksLike
from .sureness import Sureness
from .symbol import Symbol
from .symbology import Symbology
from .sync_limit import SyncLimit
from .sync_role import SyncRole
from .sync_status import SyncStatus
from .sync_status_data import SyncStatusData
from .sync_status_data_devices_item import SyncStatusDataDevicesItem
from .table_check import TableCheck
from .table_check_lines_item import TableCheckLinesItem
from .table_fault import TableFault
from .table_fault_fault import TableFaultFault
from .task_state import TaskState
from .task_state_counts import TaskStateCounts
from .template_image import TemplateImage
from .template_image_data import TemplateImageData
from .template_list import TemplateList
from .template_of import TemplateOf
from .templates_of_item import TemplatesOfItem
from .templates_of_item_templates_item import TemplatesOfItemTemplatesItem
from .thing import Thing
from .thing_box import ThingBox
from .thing_size import ThingSize
from .time import Time
from .token_kept import TokenKept
from .token_role import TokenRole
from .tokens import Tokens
from .tray_as_seen import TrayAsSeen
from .tray_beat import TrayBeat
from .tray_event_type import TrayEventType
from .tray_gap import TrayGap
from .tray_hello import TrayHello
from .tray_message import TrayMessage
from .tray_state import TrayState
from .tray_state_name import TrayStateName
from .uncertain_answer import UncertainAnswer
from .uncertain_answer_now import UncertainAnswerNow
from .uncertain_answer_now_candidates_item import UncertainAnswerNowCandidatesItem
from .uncertain_answer_told_type_0 import UncertainAnswerToldType0
from .uncertain_answers import UncertainAnswers
from .undone_release import UndoneRelease
from .update_outcome import UpdateOutcome
from .update_state import UpdateState
from .wanted_export import WantedExport
from .wanted_master import WantedMaster
from .wanted_pin import WantedPin
from .wanted_reset import WantedReset
from .wanted_speed import WantedSpeed
from .wanted_store import WantedStore
from .wanted_time import WantedTime
from .wanted_token import WantedToken
from .wanted_wipe import WantedWipe
from .white_place import WhitePlace
from .white_reference import WhiteReference

__all__ = (
    "AddedTemplate",
    "AddedTemplateData",
    "AlikeItem",
    "Area",
    "Assignment",
    "AssignmentJudgedItem",
    "AssignmentWish",
    "AuditPage",
    "AuditPageLinesItem",
    "AuditPageLinesItemCredential",
    "AuditPageLinesItemOutcome",
    "AuditPageLinesItemWhat",
    "BackupReady",
    "Backups",
    "BackupsLastType0",
    "BeatEvent",
    "Begun",
    "Calibration",
    "CameraSight",
    "CameraSightThingsItem",
    "CameraSightThingsItemCoverType0",
    "Candidate",
    "Chain",
    "ChainConfiguration",
    "ChainConfigurationSettings",
    "ChainConfigurationState",
    "ChainJoinFile",
    "Claim",
    "ClaimOnDisplay",
    "ClockSource",
    "Confirmation",
    "Confirmed",
    "ConsoleState",
    "ConsoleStateCertificateType0",
    "ConsoleStateSettings",
    "ConsoleStateSettingsDisplayType0",
    "CurrentArea",
    "CurrentExtraInfo",
    "CurrentExtraInfoData",
    "CurrentLearningMode",
    "CurrentLearningModeData",
    "CurrentSyncLimit",
    "DeedDone",
    "DeletedHere",
    "DeletedItem",
    "Deletion",
    "DeletionProgress",
    "DeletionProgressData",
    "DeletionWish",
    "Deletions",
    "DeviceInfo",
    "DeviceInfoData",
    "DisplayEvent",
    "DisplayLanguage",
    "DisplayLink",
    "DisplayLinkState",
    "DisplayPicture",
    "DisplayState",
    "Done",
    "EmptyTray",
    "Export",
    "ExportItemsFormat",
    "ExtraInfo",
    "Failure",
    "Feedback",
    "FeedbackTaken",
    "FeedbackTakenData",
    "Flaw",
    "Forgotten",
    "ForgottenTemplate",
    "Frame",
    "FrameData",
    "FrameOfNow",
    "GalleryHealth",
    "Health",
    "HealthReason",
    "HealthReasonAbout",
    "HealthReport",
    "HelloEvent",
    "Import",
    "Item",
    "ItemChanges",
    "ItemCounts",
    "ItemCountsDataItem",
    "ItemDeletion",
    "ItemDeletionTemplates",
    "ItemEntry",
    "ItemFields",
    "ItemOf",
    "ItemRanks",
    "ItemRanksItemsItem",
    "ItemsFile",
    "ItemsImported",
    "ItemsPage",
    "JoinedStore",
    "LearnEmptyTrayThings",
    "LearnTemplateUnlike",
    "LearnedItem",
    "LearnedItems",
    "LearnedTemplate",
    "LearningMode",
    "LearningModeMode",
    "LogLevel",
    "LogLine",
    "LogPage",
    "LogPart",
    "LookAlikeCure",
    "LookAlikePair",
    "LookAlikes",
    "LookMeasures",
    "Machine",
    "MachineClock",
    "MachineModes",
    "MadeToken",
    "Master",
    "MeasuredTray",
    "MeasuredTrayPicture",
    "MeasuredTrayPixelsPerCm",
    "NamedWhite",
    "NamedWhiteColour",
    "NewBackup",
    "OverviewEvent",
    "PackageState",
    "PackageTask",
    "PackageTaskCounts",
    "PairingCode",
    "PairingCodeData",
    "PairingPicture",
    "PartHealth",
    "PartOfFrame",
    "PartState",
    "Payment",
    "PaymentFailure",
    "PaymentState",
    "PaymentView",
    "Person",
    "PictureKind",
    "PinKept",
    "Pins",
    "Ports",
    "PredictSpeed",
    "Problem",
    "QrDrawing",
    "RankQuestion",
    "Ranks",
    "ReadCode",
    "RecognisedBy",
    "Recognition",
    "RecognitionArea",
    "RemoveItemTemplates",
    "RestoreForm",
    "Result",
    "ResultCount",
    "ResultData",
    "ResultDataItemsItem",
    "ResultDataVerdict",
    "ResultDataVerdictReasonType0",
    "RevokedDevice",
    "SandboxDeed",
    "SandboxDeedDoes",
    "Session",
    "SheetOnTray",
    "SignIn",
    "SignedInBy",
    "SignedOut",
    "Silence",
    "Slave",
    "Speed",
    "SpeedBy",
    "Store",
    "StoreDevice",
    "StoreMark",
    "StoreMarks",
    "StorePairingCode",
    "StoreRound",
    "StoreWipe",
    "StrayTemplate",
    "StrayTemplateLooksLike",
    "Sureness",
    "Symbol",
    "Symbology",
    "SyncLimit",
    "SyncRole",
    "SyncStatus",
    "SyncStatusData",
    "SyncStatusDataDevicesItem",
    "TableCheck",
    "TableCheckLinesItem",
    "TableFault",
    "TableFaultFault",
    "TaskState",
    "TaskStateCounts",
    "TemplateImage",
    "TemplateImageData",
    "TemplateList",
    "TemplateOf",
    "TemplatesOfItem",
    "TemplatesOfItemTemplatesItem",
    "Thing",
    "ThingBox",
    "ThingSize",
    "Time",
    "TokenKept",
    "TokenRole",
    "Tokens",
    "TrayAsSeen",
    "TrayBeat",
    "TrayEventType",
    "TrayGap",
    "TrayHello",
    "TrayMessage",
    "TrayState",
    "TrayStateName",
    "UncertainAnswer",
    "UncertainAnswerNow",
    "UncertainAnswerNowCandidatesItem",
    "UncertainAnswerToldType0",
    "UncertainAnswers",
    "UndoneRelease",
    "UpdateOutcome",
    "UpdateState",
    "WantedExport",
    "WantedMaster",
    "WantedPin",
    "WantedReset",
    "WantedSpeed",
    "WantedStore",
    "WantedTime",
    "WantedToken",
    "WantedWipe",
    "WhitePlace",
    "WhiteReference",
)
