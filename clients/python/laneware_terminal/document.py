# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "e754d0b432f3d549d510c153a7ee6a87f95a6b7251a9f65b789ca859d4438ff6"
