# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "c566830dbb5c74470168b67a141240d3fab0e06cc7bac77c21986e8a7c013c84"
