# Written by scripts/clients.sh from firmware/recognition/openapi.json.
SHA256 = "66da10a3e77f869b776e38577a970309096ec328b1cd77d318ef7bc9ace32ed9"
