# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "01c3b6d6ed87adf3e66ca3096436acf2a2fd486f8fe9beab6e1246781fb8ecd5"
