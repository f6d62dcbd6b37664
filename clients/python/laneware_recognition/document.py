# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "89b62efbaed9debef099c96be9ad496a837e66b8a623c464a1150dac3ad560e2"
