"""Receives events of a lane (docs/events.md#webhooks), with nothing but Python 3.8 or newer:

    LANEWARE_WEBHOOK_SECRET=... python3 webhook.py 8000

Listens on this machine alone: what receives from a network stands behind TLS. Prints each event once.
"""
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["LANEWARE_WEBHOOK_SECRET"].encode()
if not SECRET:
    sys.exit("LANEWARE_WEBHOOK_SECRET is empty")
OLDEST_S = 300  # an older call may be one that somebody has recorded
SIGNATURE = re.compile(r"t=(\d{1,12})((?:,v1=[0-9a-f]{64})+)")

seen = set()  # keep them where a restart finds them


def is_ours(header, body):
    found = SIGNATURE.fullmatch(header)
    if found is None or abs(time.time() - int(found[1])) > OLDEST_S:
        return False
    right = hmac.new(SECRET, found[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(right, signed) for signed in found[2][4:].split(",v1="))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        ours = is_ours(self.headers.get("Laneware-Signature", ""), body)
        if ours:
            event = json.loads(body)
            if event["type"] != "test" and event["number"] not in seen:
                print(event["type"], event["payment"]["id"], flush=True)  # store it here, before the answer
                seen.add(event["number"])
        self.send_response(204 if ours else 403)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
