# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "57fda191a61d1df598cbf0bf58c8acb5eeec1d43e8e33df050107162680aba4f"
