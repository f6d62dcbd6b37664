# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "01600910a5f58de4cd797cc5c5adf04dcdfa49b87e1c3b727185e5ed61bb5b8f"
