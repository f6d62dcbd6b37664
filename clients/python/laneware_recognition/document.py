# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "5f0718bc2b63278521f9b5b7f1770d13b727f865c397973cedb0ee1632b2c456"
