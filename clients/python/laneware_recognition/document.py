# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "6306633f3b00af51855c8f39fc07aaff9b828ef454258f05e06a7ab863450b4f"
