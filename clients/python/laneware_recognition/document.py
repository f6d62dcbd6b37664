# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "dbc132a81283fc4fe4ee293ce5523b06c753b77b6456610334d82ee1e4bb5e97"
