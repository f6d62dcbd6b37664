# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "cffec39d39b529a2f63cdbb76f2c4feae77247e7a1018f3b2329ba13a165e508"
