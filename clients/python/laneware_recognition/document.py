# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "3f506709829104dbb1e9c2b71a3ceecc5a59b942d6d2d780122e4e73ae6e38cf"
