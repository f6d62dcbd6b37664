# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "c5f5a6eb81d7450dace2203bc39e2f8fce696e3fc359d377d9aa16c7966fbae3"
