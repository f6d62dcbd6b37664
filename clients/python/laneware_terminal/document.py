# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "19dc2ddc367eb69c9bac6817eec6021cddcc9a42cb0eaacd5ea09b79bbad5d33"
