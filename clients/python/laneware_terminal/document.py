# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "a2fe32b6d7d16ea7f2a9a2b98b3cfe9743601553afd0b922a8fd1a1ad911cc9d"
