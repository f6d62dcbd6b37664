# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "cefd64518fa048cfa7d418955143700118d0994ef6d2e2375f33ec3d21995dbf"
