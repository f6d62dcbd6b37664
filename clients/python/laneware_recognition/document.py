# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "c44bad34ecd967401f7088a23a305e34e12f55391a31b28ffb7678cb5d20efe8"
