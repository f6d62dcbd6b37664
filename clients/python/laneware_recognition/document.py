# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "61f5b37baa8cfd3705d21da1ffefc886cff270b654836a334bfb14bc7fa2d9df"
