# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "4cdafdaf683739f6157ee5923b1da1f2194d2dabe56f18612fe05ed231983d4b"
