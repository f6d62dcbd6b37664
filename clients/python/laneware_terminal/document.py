# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "e7d052f5dcb559f8882a375de28ad064c81cb6bfc21c61f67c695a5f043bd976"
