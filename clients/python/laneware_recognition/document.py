# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "c8aba69ee1676e1527f241dab1301179fba0b8a4f98f3d50e2487c795220e465"
