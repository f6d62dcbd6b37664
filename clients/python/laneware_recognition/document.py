# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "5fac02e6e1037296baa6b330b08e78713a2fd148f4023413e1f5bb222ad3ac99"
