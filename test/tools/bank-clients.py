"""A payment, its state, its cancellation and its refund at the banks of test/banks, by clients that others wrote.

Called by bank-clients.sh with their address. Ends with 1 at the first thing that a client and the bank do not
agree on. What a client has no method for is sent through its own transport, so that its authorization is used.
"""

import asyncio
import json
import logging
import sys
import urllib.request
import uuid

import requests
import tinkoff_acquiring
import tinkoff_acquiring_api
import yookassa
from gocream_pysberbank import SberbankClient
from gocream_pysberbank.errors import SberbankApiException
from yookassa.domain.exceptions import BadRequestError, NotFoundError, UnauthorizedError

BANK = sys.argv[1].rstrip("/")
PASSWORD = "sandbox"


def post(path, body=None):
    data = json.dumps(body or {}).encode()
    request = urllib.request.Request(BANK + path, data, {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


def payer_pays(link):
    """What the payer's phone does with the code."""
    post(f"/sandbox/payments/{link.rsplit('/', 1)[1]}/pay")


def same(what, seen, expected):
    if seen != expected:
        sys.exit(f"FAIL {what}: {seen!r} instead of {expected!r}")
    print(f"  {what}: {seen!r}")


def refused(what, error, call):
    """The call ends in the client's own error."""
    try:
        call()
    except error as problem:
        print(f"  {what}: refused, {type(problem).__name__}: {str(problem)[:100]}")
        return
    sys.exit(f"FAIL {what}: was not refused")


def yookassa_sdk():
    print("yookassa (YooKassa's own SDK)")
    yookassa.Configuration.configure("100500", "made-up", api_url=BANK + "/yookassa/v3")
    wish = {
        "amount": {"value": "150.50", "currency": "RUB"},
        "capture": True,
        "payment_method_data": {"type": "sbp"},
        "confirmation": {"type": "qr"},
        "description": "Кофе",
        "metadata": {"order": "order-1"},
    }
    key = str(uuid.uuid4())
    payment = yookassa.Payment.create(wish, key)
    same("state of a new payment", payment.status, "pending")
    same("the same key gives the same payment", yookassa.Payment.create(wish, key).id, payment.id)
    other = {**wish, "amount": {"value": "160.50", "currency": "RUB"}}
    refused("the same key, another amount", BadRequestError, lambda: yookassa.Payment.create(other, key))
    refused("cancellation of a pending payment", BadRequestError, lambda: yookassa.Payment.cancel(payment.id))
    payer_pays(payment.confirmation.confirmation_data)
    paid = yookassa.Payment.find_one(payment.id)
    same("state of the paid one", (paid.status, paid.paid, str(paid.amount.value)), ("succeeded", True, "150.50"))
    wish = {"payment_id": payment.id, "amount": {"value": "50.50", "currency": "RUB"}}
    refund = yookassa.Refund.create(wish, str(uuid.uuid4()))
    same("refund of a part", (refund.status, str(refund.amount.value)), ("succeeded", "50.50"))
    same("the refund found again", yookassa.Refund.find_one(refund.id).payment_id, payment.id)
    same("refunded by now", str(yookassa.Payment.find_one(payment.id).refunded_amount.value), "50.50")
    more = {**wish, "amount": {"value": "100.01", "currency": "RUB"}}
    refused("refund of more than is left", BadRequestError, lambda: yookassa.Refund.create(more, str(uuid.uuid4())))
    refused("a payment that is none", NotFoundError, lambda: yookassa.Payment.find_one(str(uuid.uuid4())))
    yookassa.Configuration.configure("100500", "wrong", api_url=BANK + "/yookassa/v3")
    refused("a wrong key", UnauthorizedError, lambda: yookassa.Payment.find_one(payment.id))


def tinkoff_api():
    print("tinkoff-acquiring-api (T-Bank)")
    # its address is written into it: what it sends there is sent to the sandbox bank
    send = requests.post
    requests.post = lambda url, **more: send(url.replace("https://securepay.tinkoff.ru", BANK + "/tbank"), **more)
    try:
        client = tinkoff_acquiring_api.TinkoffAcquiring("1700000000001DEMO", PASSWORD)
        begun = client.init({"Amount": 15050, "OrderId": "order-1", "Description": "Кофе", "DATA": {"a": "b"}})
        same("state of a new payment", (begun["Status"], begun["Amount"]), ("NEW", 15050))
        code = client._call("GetQr", {"PaymentId": begun["PaymentId"], "DataType": "PAYLOAD"})
        payer_pays(code["Data"])
        paid = client.state(begun["PaymentId"])
        same("state of the paid one", (paid["Status"], paid["OrderId"]), ("CONFIRMED", "order-1"))
        found = client._call("CheckOrder", {"OrderId": "order-1"})["Payments"]
        same("found by its order", [one["PaymentId"] for one in found], [begun["PaymentId"]])
        stranger = tinkoff_acquiring_api.TinkoffAcquiring("1700000000001DEMO", "another")
        refused("a wrong password", Exception, lambda: stranger.state(begun["PaymentId"]))
    finally:
        requests.post = send


async def tinkoff_httpx():
    print("tinkoff-acquiring (T-Bank)")
    client = tinkoff_acquiring.TinkoffAcquiringAPIClient("1700000000002DEMO", PASSWORD)
    client.API_ENDPOINT = BANK + "/tbank/v2/"
    begun = await client.init_payment(150.5, "order-1", "Кофе")
    same("an unpaid payment is cancelled", (await client.cancel_payment(begun["PaymentId"]))["Status"], "CANCELED")
    same("its state", (await client.get_payment_state(begun["PaymentId"]))["Status"], "CANCELED")
    begun = await client.init_payment(150.5, "order-2", "Кофе")
    code = await client.send_request("GetQr", {"PaymentId": begun["PaymentId"]})
    payer_pays(code["Data"])
    refund = await client.cancel_payment(begun["PaymentId"])
    same(
        "a paid one is refunded",
        (refund["Status"], refund["OriginalAmount"], refund["NewAmount"]),
        ("REFUNDED", 15050, 0),
    )
    try:
        await client.cancel_payment(begun["PaymentId"])
    except tinkoff_acquiring.TinkoffAPIException as problem:
        same("and not twice", str(problem), "Неверный статус транзакции")
    else:
        sys.exit("FAIL a second refund was not refused")


def rbs():
    print("gocream-pysberbank (the RBS gateway)")
    url = BANK + "/rbs/payment/{api_type}/{method}"
    client = SberbankClient(username="shop-api", password="made-up", url=url)
    order = {"orderNumber": "order-1", "amount": 15050, "returnUrl": "https://shop.example/", "description": "Кофе"}
    made = client.register(**order)
    refused("the same order number again", SberbankApiException, lambda: client.register(**order))
    state = client.order_status_extended(orderNumber="order-1")
    same("state of a new order", (state["orderStatus"], state["amount"]), (0, 15050))
    code = client._make_request(url, "rest", "sbp/c2b/qr/dynamic/get", {"mdOrder": made["orderId"]})
    refused("refund of an unpaid order", SberbankApiException, lambda: client.refund(made["orderId"], 50))
    payer_pays(code["payload"])
    state = client.order_status_extended(orderId=made["orderId"])
    same("state of the paid one", (state["orderStatus"], state["orderNumber"]), (2, "order-1"))
    refused("reversal of what is no hold", SberbankApiException, lambda: client.reverse(made["orderId"]))
    client.refund(made["orderId"], 5050)
    state = client.order_status_extended(orderId=made["orderId"])
    same("state of the refunded one", (state["orderStatus"], state["paymentAmountInfo"]["depositedAmount"]), (4, 10000))
    second = client.register(**{**order, "orderNumber": "order-2"})
    client._make_request(url, "rest", "decline", {"orderId": second["orderId"]})
    same("state of a declined order", client.order_status_extended(orderId=second["orderId"])["orderStatus"], 3)
    stranger = SberbankClient(username="shop-api", password="wrong", url=url)
    refused("a wrong password", SberbankApiException, lambda: stranger.order_status_extended(orderId=made["orderId"]))


logging.disable()
yookassa_sdk()
tinkoff_api()
asyncio.run(tinkoff_httpx())
rbs()
print("every client and the sandbox bank agree")
