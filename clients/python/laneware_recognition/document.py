# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "24562b25711ad5603e86ab6a0a9384a70727b4b434bfa4565e256de8744c9c28"
