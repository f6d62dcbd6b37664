# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "849735ec8d53df66a8a76ceee848c50e7b3bb8c53fbaefa2fe3de42cbb8b519c"
