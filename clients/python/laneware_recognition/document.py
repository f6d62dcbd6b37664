# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "a9ae7cb9e89151207375d9b4ee8e8437fd9653b0f19d8a39cf502672fbcc3aaf"
