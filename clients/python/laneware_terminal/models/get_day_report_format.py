from enum import StrEnum


class GetDayReportFormat(StrEnum):
    CSV = "csv"
    HTML = "html"
    JSON = "json"
    PAYMENTS = "payments"

    def __str__(self) -> str:
        return str(self.value)
