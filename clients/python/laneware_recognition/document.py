# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "b2ff0f5516a45fc08e2fa6b3b1ef1c1abf739870866b1f7351959b06b571cf4c"
