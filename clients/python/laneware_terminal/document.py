# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "8d33c03fd0a684d9b23aac974d91edabd3bf9fd537b9cef4057bb2eb155781d7"
