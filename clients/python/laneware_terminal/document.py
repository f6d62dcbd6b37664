# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "ad5722188b0c0dae354b8f0476bf3473667d2bee7957815740aae5c695822fd9"
