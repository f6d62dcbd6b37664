# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "a0cc26dbf4f130b1258d8fec174d99497e5c4097c7ff33a68fc3ee596a1cb15e"
