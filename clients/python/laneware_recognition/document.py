# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "c46b223cf90d022c231ee8b13ee288596757925858798efbd94f33831ea76871"
