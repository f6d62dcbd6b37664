# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "eeafc7735db92c387eff2803d46ea046a1af56559ff3a8e28d0706d061eb77d4"
