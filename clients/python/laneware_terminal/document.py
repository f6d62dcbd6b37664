# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "daf2c416c2f6e365d1e6fb7064fb6faa53eeae44ab057f058487e9c68a8899e8"
