# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "2c8f6927ea5bb80e47c109f1504c88b0ea30ad0fb00e19809e94a5c91d4ab3b3"
