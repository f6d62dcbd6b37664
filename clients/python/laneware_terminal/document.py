# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "6fe89b656a8a00675ff1b90341c9f9706ac297066d7ec3f50f1cb297ae68c0db"
