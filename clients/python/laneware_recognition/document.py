# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "39a5f5dd0fe8b0ce0ba1ad54565e20b2425c50d875a522f40a011a24a27e2790"
