# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "bc23f5ab87a3f14307da85ada7dd7ef095961d372c41bce6e332e69c4f07c3d6"
