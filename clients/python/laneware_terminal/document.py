# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "2ac8d172700fff722dfb722b256550db721725f6887fc2feb6aad46f24d5ed94"
