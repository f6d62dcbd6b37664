# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "fe7300333d444471271ba6abf1e6c86551be180286c77e4d0d436ded6daf52ec"
