# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "d0b5528a4590cbffde78f1b5c95f3dde641c079fb7200b1939d57944398f14c3"
