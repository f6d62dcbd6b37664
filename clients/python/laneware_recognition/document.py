# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "7be152054c206cc829bc432712283fa9934315a3e6e564296ddbe8c3ea8318c6"
