# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "475089dd1d8d062eb7f50903e96eae0292ba3cd80d9f68e5d682bbce61919401"
