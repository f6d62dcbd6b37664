# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "138b01eff91ccfe6dbe8866b166f9b46349f037141ad3595dd63fd61abbf4f4b"
