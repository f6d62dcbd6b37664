# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "62e3e2d9016e804f29870cf4efc4bee812042796b1a33d71c6546474232b853c"
