# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "36f50c05dae60c84fc510d7d82360fdcfdb14af245857d13e6d29778522827ad"
