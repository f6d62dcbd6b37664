# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "5546892e4e10667097707702443f6da47eee2a091a90c59ffd6f42adc83fe432"
