# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "ca13b50ebe87405300f128de2b3b7d0c6666c1da19a0f20b55347f7e2987353c"
