# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "8ba1faadec499a2f4c96eb93026910bfc04d4ed8a45f3677a4f7423d4c4297ce"
