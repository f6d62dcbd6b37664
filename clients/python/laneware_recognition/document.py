# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "3bec3852d72dfd7f93dee067247c6c6064a7fd403e7a2ddbf03034b67e26d3e9"
