# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "bffe3be608142d8630a9fab0af024d6c9a305d42fbed43e530a6cb2e5da7b4af"
