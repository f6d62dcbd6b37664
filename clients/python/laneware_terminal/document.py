# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "e4ad9c6fdd3f6bf7fc22508e826a4df247adea4788de399c7624f1a719a3725a"
