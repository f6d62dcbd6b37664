# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "c73c0719d56352a8e8dbbb813f450dd40b9ba4eb10e434f47bc3f91ffe1f94f2"
