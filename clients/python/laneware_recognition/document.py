# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "5f51c3251cdbec817547f2a820c82514449fd8f603605843e01228efd41ae1f8"
