# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "274f2308436651c22b15164d705bf72dbe3dc34f58d46486d669f001958f6108"
