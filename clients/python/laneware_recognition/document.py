# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "2582ea056d818b0691b6212a538694d48caffa4261e353f7f0981c4321f57a2a"
