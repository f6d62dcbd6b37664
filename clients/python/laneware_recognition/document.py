# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "83c1eda04ecc6ed8e2dc575dbf471be93c388ee3e79bd3228f41ded858cb647d"
