# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "e8b1e4a57a46c10f8b2e91842360a5fa459f53481c0ec1283fa8866569859958"
