# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "fdd7f85367664fe75edcdee83b3b7dc839e634ea9dbf8a9518720631b91c35d7"
