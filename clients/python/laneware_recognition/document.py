# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "890c9666ed42f83c97b5a132bae3a3cebf2b36b49f8db6f6528856c5e3645986"
