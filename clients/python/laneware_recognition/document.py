# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "efa327ef42515437ed694935cea3fd44d30ab235754593a9e430aa3c120ef942"
