# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "57ed3dbab1e3286bbcbff71251c00849eb23792315dcccbf4fd1d7c5a6326e84"
