# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "f4a8312f09052268549ddd2f63a300094e8b1efef6ed887fc5d72857ab88fd8e"
