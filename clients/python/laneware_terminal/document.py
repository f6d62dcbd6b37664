# Written by scripts/clients.sh from firmware/terminal/openapi.json.
SHA256 = "d24f3471f2bb76fb60c55699588661c66d52839dfb85cbacffbbf34a38821995"
