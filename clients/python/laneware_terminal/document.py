# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "da3adebef1d8e38ca7c1e4ba2a33505f427d390bcd6762436f6f83de6764a401"
