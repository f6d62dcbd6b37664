# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "a07f0ab766248775b150120fb9e2db80c25d483055b7ff21e36be4bf1616985b"
