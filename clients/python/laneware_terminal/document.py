# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "b78289713636db0cd0d2dc571a166b1a96483f5b82b2bc8ebcf8e2bd7eb1bfc0"
