"""A till on the generated Python client: pays, reads the payment, learns what lies on the tray and recognises it."""
import sys
import time
import uuid

from laneware_recognition import AuthenticatedClient as RecognitionClient
from laneware_recognition.api.items import learn_template
from laneware_recognition.api.original_device_recognition import get_result
from laneware_recognition.api.recognition import confirm_item, get_recognition
from laneware_recognition.models import Confirmation
from laneware_terminal import AuthenticatedClient as TerminalClient
from laneware_terminal.api.payments import create_payment, get_payment
from laneware_terminal.models import Problem, Sale

terminal_url, recognition_url, token = sys.argv[1:4]
key = str(uuid.uuid4())
with TerminalClient(base_url=terminal_url, token=token) as terminal:
    refused = create_payment.sync(client=terminal, body=Sale(amount=0), idempotency_key=key)
    assert isinstance(refused, Problem) and refused.field == "amount", refused
    payment = create_payment.sync(client=terminal, body=Sale(amount=54300, purpose="Apples"), idempotency_key=key)
    again = create_payment.sync(client=terminal, body=Sale(amount=54300, purpose="Apples"), idempotency_key=key)
    assert payment.id == again.id, (payment, again)
    while payment.state == "PENDING":
        payment = get_payment.sync(payment.id, client=terminal, wait=25)
    print(payment.state, payment.amount, payment.purpose)

with RecognitionClient(base_url=recognition_url, token=token) as recognition:
    learned = learn_template.sync("4011", client=recognition)
    assert (learned.item, learned.templates) == ("4011", 1), learned
    print(get_result.sync(client=recognition).to_dict()["data"]["items"][0]["id"])
    seen = get_recognition.sync(client=recognition)
    first = seen.candidates[0]
    print(seen.state, first.id, first.name)
    confirmed = confirm_item.sync_detailed(seen.id, client=recognition, body=Confirmation(item=first.id))
    assert confirmed.status_code == 200, confirmed
