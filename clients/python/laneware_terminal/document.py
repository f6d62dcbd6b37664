# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "c204212c0200918a530046b8c14c484c52bbaa8e354bc602d786fd1d0ecaa95f"
