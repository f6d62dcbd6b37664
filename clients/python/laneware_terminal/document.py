# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "ee2034cfec4d7b9752024853a10628b4e84bc1abfff1c367f202055acf2d3a33"
