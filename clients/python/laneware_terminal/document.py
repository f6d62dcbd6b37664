# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "741dc6066225287320457c2b1ce2d9ecde9c3aaf78dc5a11248ac1ae3dfb00d1"
