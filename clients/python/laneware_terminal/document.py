# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "678428fc07bb03c6d7d2b77762154fa70402b936f1d9bd5900047b967205577d"
