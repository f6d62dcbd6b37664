# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "a818b5220e8e896e89071521ae97de8412998be8a240f13278660d54ee237fbe"
