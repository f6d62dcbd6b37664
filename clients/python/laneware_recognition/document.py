# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "84508c99fb613571fd1d506129d03bc1d3c17f061d69127bc3d2b56e001a8877"
