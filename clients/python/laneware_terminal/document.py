# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "c413cb8e4594150c540022e64f25adab53594a8cd88d508c3f8f87f84ea2232d"
