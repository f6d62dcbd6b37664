# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "7f2b8107416bc5689249d6cdbd6e68569b2b05e7ab9032fd5c90c3a682b5ddee"
