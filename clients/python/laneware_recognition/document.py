# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "9932cde49789e7883e6a1d5d7b9cdc471aece8816791857bd8b09e65f7f855d9"
