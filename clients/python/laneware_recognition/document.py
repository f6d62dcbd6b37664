# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "66362bf47fd7b08d2fb80d444eeee90a1f5be1209ea6659f19a38c6076081ed8"
