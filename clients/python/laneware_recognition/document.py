# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "666beb90c7adab41c1eefb66dd2db635b81a7b430f219cc1687f424a938f2596"
