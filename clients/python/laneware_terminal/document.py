# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "487e3949ac09c8a67fe11b98b253b98e69901765fae2ab881ffbd74da7b2f17e"
