# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "2e691be2f4ba06ce40d86eaa704f364e282746d21e6a072047bf4e93b0711919"
