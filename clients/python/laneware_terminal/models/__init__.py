"""Contains all the data models used in inputs/outputs"""

from .acknowledgement import Acknowledgement
from .bank_profiles import BankProfiles
from .bank_to_try import BankToTry
from .bank_tried import BankTried
from .beat_message import BeatMessage
from .bluetooth_displays import BluetoothDisplays
from .bluetooth_displays_displays_item import BluetoothDisplaysDisplaysItem
from .call_body import CallBody
from .call_body_withheld_type_0 import CallBodyWithheldType0
from .call_credential import CallCredential
from .call_origin import CallOrigin
from .call_port import CallPort
from .cancellation import Cancellation
from .cancellation_outcome import CancellationOutcome
from .cash_link import CashLink
from .cash_link_request import CashLinkRequest
from .certificate_to_keep import CertificateToKeep
from .current_settings import CurrentSettings
from .day_report import DayReport
from .day_report_profiles_item import DayReportProfilesItem
from .day_report_totals import DayReportTotals
from .deliveries import Deliveries
from .delivery import Delivery
from .delivery_state import DeliveryState
from .device_connection import DeviceConnection
from .difference import Difference
from .difference_kind import DifferenceKind
from .display_status import DisplayStatus
from .done import Done
from .dynamic_qr_status import DynamicQRStatus
from .dynamic_qr_status_status import DynamicQRStatusStatus
from .event import Event
from .event_message import EventMessage
from .event_type import EventType
from .export_to_csv import ExportToCSV
from .failure import Failure
from .field_form import FieldForm
from .find_payments_late import FindPaymentsLate
from .gallery_health import GalleryHealth
from .gap_message import GapMessage
from .get_day_report_format import GetDayReportFormat
from .get_health_response_200 import GetHealthResponse200
from .health_reason import HealthReason
from .health_reason_about import HealthReasonAbout
from .health_report import HealthReport
from .hello_message import HelloMessage
from .hour_totals import HourTotals
from .kept_certificate import KeptCertificate
from .kept_certificate_certificates_item import KeptCertificateCertificatesItem
from .part_health import PartHealth
from .part_state import PartState
from .payment import Payment
from .payment_failure import PaymentFailure
from .payment_state import PaymentState
from .payment_with_refunds import PaymentWithRefunds
from .payments_page import PaymentsPage
from .ports import Ports
from .problem import Problem
from .profile_to_try import ProfileToTry
from .reconciliation import Reconciliation
from .refund import Refund
from .refund_decision import RefundDecision
from .refund_outcome import RefundOutcome
from .refund_request import RefundRequest
from .refund_request_amount_type_1 import RefundRequestAmountType1
from .refund_state import RefundState
from .refunds import Refunds
from .registry import Registry
from .registry_columns import RegistryColumns
from .sale import Sale
from .sale_answer import SaleAnswer
from .sale_answer_warnings_item import SaleAnswerWarningsItem
from .serial_ports import SerialPorts
from .serial_ports_ports_item import SerialPortsPortsItem
from .settings import Settings
from .settings_forms import SettingsForms
from .settings_forms_banks_item import SettingsFormsBanksItem
from .settings_forms_displays_item import SettingsFormsDisplaysItem
from .settings_in_use import SettingsInUse
from .settings_to_set import SettingsToSet
from .show_info_qr import ShowInfoQR
from .show_qr import ShowQR
from .silence import Silence
from .speed_by import SpeedBy
from .stored_settings import StoredSettings
from .stored_settings_bank_profiles import StoredSettingsBankProfiles
from .stored_settings_device_connection import StoredSettingsDeviceConnection
from .success import Success
from .sum_ import Sum
from .test_picture import TestPicture
from .till_call import TillCall
from .till_call_summary import TillCallSummary
from .till_calls import TillCalls
from .update_settings import UpdateSettings
from .version import Version
from .webhook import Webhook
from .webhook_test import WebhookTest
from .webhooks import Webhooks

__all__ = (
    "Acknowledgement",
    "BankProfiles",
    "BankToTry",
    "BankTried",
    "BeatMessage",
    "BluetoothDisplays",
    "BluetoothDisplaysDisplaysItem",
    "CallBody",
    "CallBodyWithheldType0",
    "CallCredential",
    "CallOrigin",
    "CallPort",
    "Cancellation",
    "CancellationOutcome",
    "CashLink",
    "CashLinkRequest",
    "CertificateToKeep",
    "CurrentSettings",
    "DayReport",
    "DayReportProfilesItem",
    "DayReportTotals",
    "Deliveries",
    "Delivery",
    "DeliveryState",
    "DeviceConnection",
    "Difference",
    "DifferenceKind",
    "DisplayStatus",
    "Done",
    "DynamicQRStatus",
    "DynamicQRStatusStatus",
    "Event",
    "EventMessage",
    "EventType",
    "ExportToCSV",
    "Failure",
    "FieldForm",
    "FindPaymentsLate",
    "GalleryHealth",
    "GapMessage",
    "GetDayReportFormat",
    "GetHealthResponse200",
    "HealthReason",
    "HealthReasonAbout",
    "HealthReport",
    "HelloMessage",
    "HourTotals",
    "KeptCertificate",
    "KeptCertificateCertificatesItem",
    "PartHealth",
    "PartState",
    "Payment",
    "PaymentFailure",
    "PaymentState",
    "PaymentWithRefunds",
    "PaymentsPage",
    "Ports",
    "Problem",
    "ProfileToTry",
    "Reconciliation",
    "Refund",
    "RefundDecision",
    "RefundOutcome",
    "RefundRequest",
    "RefundRequestAmountType1",
    "RefundState",
    "Refunds",
    "Registry",
    "RegistryColumns",
    "Sale",
    "SaleAnswer",
    "SaleAnswerWarningsItem",
    "SerialPorts",
    "SerialPortsPortsItem",
    "Settings",
    "SettingsForms",
    "SettingsFormsBanksItem",
    "SettingsFormsDisplaysItem",
    "SettingsInUse",
    "SettingsToSet",
    "ShowInfoQR",
    "ShowQR",
    "Silence",
    "SpeedBy",
    "StoredSettings",
    "StoredSettingsBankProfiles",
    "StoredSettingsDeviceConnection",
    "Success",
    "Sum",
    "TestPicture",
    "TillCall",
    "TillCallSummary",
    "TillCalls",
    "UpdateSettings",
    "Version",
    "Webhook",
    "WebhookTest",
    "Webhooks",
)
