# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "06c9e52b8f6ed3be4f086638cc934f7e99df2ff1db0ea390632340835ebac72c"
