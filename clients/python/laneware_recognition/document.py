# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "a34ec2b6eed2b890911fc8011e7c76e6ef925beb8ba5c106c30d74415dc62b67"
