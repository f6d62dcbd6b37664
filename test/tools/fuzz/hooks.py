"""What no schema can say of a right call: that a name refers to something that is there, that sizes fit each other.

Only calls that are right by their schema are touched, and only in these points; wrong ones are sent as they were made.
No hook drops a case, a check or a failure.
"""

import base64
import itertools
import json
import os
from pathlib import PurePosixPath

import schemathesis
from hypothesis import strategies as st

PICTURE = open(os.environ["FUZZ_PICTURE"], "rb").read()
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
SYNC_PORT = int(os.environ["FUZZ_SYNC_PORT"])

# DER as Base64, of a key that no one has.
CERTIFICATE = (
    "MIIBRzCB76ADAgECAhA17LP4U3XMmd9CKS2B4lm7MAoGCCqGSM49BAMCMBcxFTAT"
    "BgNVBAMMDHNob3AuZXhhbXBsZTAgFw03MDAxMDEwMDAwMDBaGA85OTk5MTIzMTIz"
    "NTk1OVowFzEVMBMGA1UEAwwMc2hvcC5leGFtcGxlMFkwEwYHKoZIzj0CAQYIKoZI"
    "zj0DAQcDQgAEUl5YRrvrKDJehXUdfCuRPulACmoWThypZRSk2lvJK1e7o3VH4OqL"
    "CMBwXreyoADlbgg8jfiEAPcKcjKP/c+NnqMbMBkwFwYDVR0RBBAwDoIMc2hvcC5l"
    "eGFtcGxlMAoGCCqGSM49BAMCA0cAMEQCIAuhuMhrZ1m9st3w07FTcn4/hcBVIsZK"
    "aGIgOn6ZMjl9AiA+kWpAloAr9Y4pIWdKx4N7JS15CyTm5t1+bS6NizE8zw=="
)
BACKUP = open(os.environ["FUZZ_BACKUP"], "rb").read()

# a body of random bytes is no picture
schemathesis.openapi.media_type("image/jpeg", st.just(PICTURE))
schemathesis.openapi.media_type("image/png", st.just(PNG))


@schemathesis.serializer("text/csv")
def csv(context, value):
    """Texts go out as they are."""
    return value if isinstance(value, bytes) else str(value).encode()


def clipped(text, size):
    """The first characters that have room in so many bytes."""
    return text.encode()[:size].decode(errors="ignore")


def settings(body):
    usable(body["settings"])


def usable(sent):
    """The profile in use is one of those that are sent, of a bank that needs nothing else; the display is there."""
    name = sent["bankProfile"]
    profile = sent["bankProfiles"].get(name)
    beside = profile if isinstance(profile, dict) else {}
    if len(name) % 2:
        used = {**beside, "bankName": " sandbox"}
    else:
        used = {**beside, "bankName": "STATIC", "staticQR": "https://qr.nspk.ru/AS100001ORTF4GAF80KPJ53K186D9A3G"}
    while len(sent["bankProfiles"]) > 63:
        sent["bankProfiles"].popitem()
    sent["bankProfiles"][name] = used
    sent["deviceConnection"]["connectionType"] = "hdmi" if len(name) % 3 else "Screen"


def info_qr(body):
    """A code holds bytes, a schema counts characters."""
    body["infoQR"] = clipped(body["infoQR"], 1000)


def export(body):
    """The folder is there, the name is one of this system, and the file system has room for it."""
    stem = PurePosixPath(body["path"].replace("\\", "/").replace("\0", "")).stem
    body["path"] = (clipped(stem.replace(":", ""), 200) or "x") + ".csv"


def area(body):
    """The area lies inside of the frame."""
    body["left"] = min(body["left"], 1280 - body["width"])
    body["top"] = min(body["top"], 720 - body["height"])


def slave(body):
    """No stranger's machine is called."""
    body["masterIP"] = "127.0.0.1"
    body["mastersyncPort"] = SYNC_PORT


def master(body):
    """The code is one, and no stranger's machine is called."""
    body.update({"host": "127.0.0.1", "code": "0123-4567-89AB-CDEF-GHJK"})


def bank(body):
    """The bank needs nothing else."""
    body["profile"] = {"bankName": "Sandbox"}


def sign_in(body):
    """Somebody signs in with one of the two."""
    if "pin" in body:
        body.pop("token", None)
    else:
        body.setdefault("token", "made-up-token-0123456789")


def refund(body, headers):
    """A refund has one id: the header and the body name the same, and one of them does."""
    key = next((value for name, value in headers.items() if name.lower() == "idempotency-key"), None)
    if key is not None:
        body.pop("id", None)
    elif body.get("id") is None:
        body["id"] = "0"


def no_step(body):
    """The id that an item gets is no step of a path."""
    for name in ("id", "item"):
        if body.get(name) in (".", ".."):
            body[name] = "0"


def items(body):
    """A file names each item once, and by an id that it may have."""
    for item in body["items"]:
        no_step(item)
    body["items"] = list({item["id"]: item for item in body["items"]}.values())


def registry(body):
    """Each file is a registry of the bank whose columns are known, the statement one of 1C, its days go forwards, and the configuration names no other."""
    if body.get("statement") is not None:
        lines = ["1CClientBankExchange", "ВерсияФормата=1.03", "РасчСчет=1", "КонецФайла"]
        body["statement"] = base64.b64encode("\n".join(lines).encode()).decode()
    for each in (body, *(body.get("others") or [])):
        each["file"] = base64.b64encode("QR id;Сумма\r\nAS1;1.00\r\n".encode()).decode()
        each["columns"] = None
        each["registry"] = None
    if body.get("to") is not None:
        body["from"], body["to"] = sorted((body["from"], body["to"]))


def backup(body):
    """The file is a backup of this device, and the sale after it is not to be lost."""
    body.clear()
    body.update({"passphrase": os.environ["FUZZ_PASSPHRASE"], "overNewerPayments": "false", "file": BACKUP})


def hard_pin(body):
    """The PIN is none of those that anybody tries first."""
    body["pin"] = "739105"


def zone(body):
    """The zone is one of the IANA list."""
    body["zone"] = "Europe/Moscow"


def certificate(body):
    """The file is the same for each field."""
    body["content"] = CERTIFICATE
    body.pop("field", None)


def receipt(body):
    """A code holds bytes, a schema counts characters; it begins and ends with a visible one, and is no link of another kind."""
    body["payload"] = "0" + clipped(body["payload"].replace(":", ""), 298) + "0"


def own_recordings(body):
    """No folder of recordings is on this device."""
    if body.get("recordings") is not None:
        body["recordings"] = None


def closed(body):
    """The device is closed to the network already: it does not start anew at other ports."""
    body["open"] = False


PUT = {
    "/console/api/network": closed,
    "/console/api/camera/area": area,
    "/console/api/shop": zone,
    "/console/api/pins/{person}": hard_pin,
    "/console/api/settings": usable,
    "/console/api/store/master": master,
    "/v1/payments/{id}/receipt/code": receipt,
}
PATCH = {"/v1/voice": own_recordings}
MENDED = {
    "/updateDriverSettings": settings,
    "/showInfoQR": info_qr,
    "/exportToCSV": export,
    "/v1/recognition/{id}/feedback": no_step,
    "/v1/reconciliations": registry,
    "/api/add_item_template": no_step,
    "/api/feedback": no_step,
    "/api/set_calib": area,
    "/api/set_sync_slave": slave,
    "/console/api/recognition/uncertain/assignments": no_step,
    "/console/api/session": sign_in,
    "/console/api/settings/bank-test": bank,
    "/console/api/settings/certificates": certificate,
    "/console/api/backups/restore": backup,
}


SALES = itertools.count(1)


def plain_amount(body):
    """The sandbox bank reads kopecks as scripts of what goes wrong at banks: whole roubles are plain payments."""
    body["amount"] = max(100, int(body["amount"]) // 100 * 100)
    if body.get("ttl") is not None:
        body["ttl"] = max(1, min(60, body["ttl"]))  # what a lane takes unless its configuration says more


def another_sale(body, headers):
    """A new key is of another sale than the one that is open, and the profile is one that is set up."""
    for name in [name for name in headers if name.lower() == "idempotency-key"]:
        sale = next(SALES)
        headers[name] = f"sale-{sale}"
        body["purpose"] = f"Sale {sale}"
        body.pop("profile", None)


def days(query):
    """The first and the last day of a search stand together and alone, in their order, and no more than a month apart."""
    named = [query[name] for name in ("from", "to") if query.get(name) is not None]
    if named:
        query.pop("day", None)
        first, last = min(named), max(named)
        query["from"], query["to"] = first, last if last[:7] == first[:7] else first


def period(query):
    """A period begins with the day that is named, is no longer than a month, and is of payments."""
    if query.get("to") is None:
        return
    query["day"] = query["to"][:8] + "01"
    query["format"] = "payments"


def short_wait(query):
    """An answer that takes longer than ten seconds is a fault, unless it was asked for."""
    if query.get("wait") is not None:
        query["wait"] = "1"
        query.pop("weight", None)  # of this moment, not of the next state


# ids that the device has given, for calls that are made of one: half of them, so that unknown ones are asked for, too
KNOWN = {"payment": None}


def known_payment(case):
    if KNOWN["payment"] is not None and next(SALES) % 2 == 0:
        case.path_parameters["id"] = KNOWN["payment"]


@schemathesis.hook
def after_call(context, case, response):
    if case.path == "/v1/payments" and case.method == "POST" and response.status_code in (200, 201):
        KNOWN["payment"] = response.json()["id"]


@schemathesis.hook
def before_call(context, case, kwargs):
    mend = MENDED.get(case.path)
    if mend is not None and case.method == "POST" and case.meta.generation.mode.is_positive:
        if not isinstance(case.body, dict):
            case.body = {}  # it may be left out
        mend(case.body)
    put = PUT.get(case.path)
    if put is not None and case.method == "PUT" and case.meta.generation.mode.is_positive:
        put(case.body)
    patch = PATCH.get(case.path)
    if patch is not None and case.method == "PATCH" and isinstance(case.body, dict) and case.meta.generation.mode.is_positive:
        patch(case.body)
    if case.path in ("/v1/catalogue", "/v1/catalogue/check") and case.method == "POST" and case.meta.generation.mode.is_positive:
        if case.media_type == "text/csv":
            case.body = "id,name,plu,price\n4011,Bananas,4011,12990\n"
        else:
            items(case.body)
            (case.query or {}).pop("prices", None)  # roubles are of a table alone
    if case.meta.generation.mode.is_positive:
        if case.path in ("/showQR", "/v1/payments") and case.method == "POST":
            another_sale(case.body, case.headers or {})
            plain_amount(case.body)
        if case.path in ("/v1/payments", "/console/api/journal") and case.method == "GET":
            days(case.query or {})
        if case.path == "/v1/reports/day" and case.method == "GET":
            period(case.query or {})
        if case.method == "GET":
            short_wait(case.query or {})
        if case.path.startswith("/v1/payments/{id}"):
            known_payment(case)
    if case.path == "/v1/payments/{id}/refunds" and case.method == "POST" and case.meta.generation.mode.is_positive:
        if not isinstance(case.body, dict):
            case.body = {}
        refund(case.body, case.headers or {})
