# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "b181a9be7eba6b05c5d70801ea48908c3a4879b16f9b511016ef72542836801d"
