# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "f494b9aea4e0e6b9e2d490cd3349ded55a773fa37172d6425176bb90c063cfe1"
