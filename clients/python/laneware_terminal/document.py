# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "b63d27a0e0b797983d305a770350e54ef055102d10cbcbceb483c24cc394e7f5"
