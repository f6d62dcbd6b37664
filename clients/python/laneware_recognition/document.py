# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "f2d6bc1b15269c7262d4dc0cd560b7761dd4d67856c4942b1c07f022d58e0266"
