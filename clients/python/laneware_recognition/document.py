# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "823c38cff4d3814904263659b6a9c4d9041388a0011f53a85d142fb3278bf955"
