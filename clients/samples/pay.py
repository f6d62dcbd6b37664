"""Takes one payment through Laneware, with nothing but Python 3.8 or newer:

    python3 pay.py 12345 "Apples, 2 kg"        amount in kopecks

LANEWARE_URL is the lane (http://127.0.0.1:1234), LANEWARE_TOKEN the token of the till, where the lane asks for one.
LANEWARE_WAIT_S seconds after its code is shown (420) an open payment is taken back: its bank has not reported on it.
Ends with 0 when it is paid, 1 when it is not, 2 when it is unknown whether it is paid: then look at the payment before anything is sold again.
Ends with 3 when it is called wrongly: nothing was asked then.
"""
import json
import os
import re
import sys
import time
import urllib.error
import urllib.request
import uuid
from http.client import HTTPException

LANE = os.environ.get("LANEWARE_URL", "http://127.0.0.1:1234")
TOKEN = os.environ.get("LANEWARE_TOKEN")
ANSWER_LIMIT_S = 40
GIVE_UP_S = 120
TTL_MINUTES = 5
# the code's own time, a minute in which the customer may be confirming, and one for the bank
WAIT_S = int(os.environ.get("LANEWARE_WAIT_S", (TTL_MINUTES + 2) * 60))


class NotPossible(Exception):
    """The sale has no end as it should: `exit_code` is 1 where it is known that it is not paid, else 2."""

    def __init__(self, words, exit_code=2):
        super().__init__(words)
        self.exit_code = exit_code


def send(method, path, body=None, headers=None):
    """Returns status and body of one call; raises OSError where there is no answer."""
    request = urllib.request.Request(
        LANE + path, method=method, data=None if body is None else json.dumps(body).encode()
    )
    request.add_header("Content-Type", "application/json")
    if TOKEN:
        request.add_header("Authorization", f"Bearer {TOKEN}")
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_LIMIT_S) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def send_until_answered(*request):
    """No answer, 429 or 5xx passes, and says nothing of what was done: the same is sent again. Its key makes it the same payment."""
    end = time.monotonic() + GIVE_UP_S
    while True:
        try:
            status, answer = send(*request)
        except (OSError, HTTPException, ValueError) as error:
            status, answer = 0, {"detail": str(error)}
        if 200 <= status < 300:
            return answer
        is_used_up = answer.get("repeat") is False  # the key: its payment can no longer be paid
        is_passing = status in (0, 429) or status >= 500
        if is_used_up or not is_passing or time.monotonic() > end:
            raise NotPossible(f"{answer.get('code', 'no answer')}: {answer['detail']}", 1 if is_used_up else 2)
        time.sleep(1)


def pay(amount, purpose, key):
    """Returns the payment as it has ended. Amount in kopecks."""
    body = {"amount": amount, "purpose": purpose, "ttl": TTL_MINUTES}
    payment = send_until_answered("POST", "/v1/payments", body, {"Idempotency-Key": key})
    print(f"payment {payment['id']}: the code is on the display")
    end = time.monotonic() + WAIT_S
    while payment["state"] == "PENDING" and time.monotonic() < end:
        payment = send_until_answered("GET", f"/v1/payments/{payment['id']}?wait=25")
    if payment["state"] == "PENDING":
        payment = send_until_answered("POST", f"/v1/payments/{payment['id']}/cancel")["payment"]
    if payment["state"] == "PENDING":
        why = (payment["silence"] or {}).get("detail", "its bank does not report")
        raise NotPossible(f"payment {payment['id']}: unknown whether it is paid: {why}")
    return payment


if __name__ == "__main__":
    if not re.fullmatch("[0-9]{1,15}", "".join(sys.argv[1:2])):
        sys.exit(print('usage: python3 pay.py 12345 "Apples, 2 kg"', file=sys.stderr) or 3)
    try:
        # A real till writes the key into its receipt before it asks: after a crash it sends the same again.
        state = pay(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "", str(uuid.uuid4()))["state"]
    except Exception as problem:
        sys.exit(print(problem, file=sys.stderr) or getattr(problem, "exit_code", 2))
    print(state)
    sys.exit({"ACCEPTED": 0, "REJECTED": 1, "CANCELED": 1, "ERROR": 1}.get(state, 2))  # of a static code nobody knows
