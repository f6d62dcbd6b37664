# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "91b588140f570ddc41a081278b7cf3d9e536f2b8ce37920e77e85f6f6322edda"
