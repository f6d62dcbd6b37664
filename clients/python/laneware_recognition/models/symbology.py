from enum import StrEnum


class Symbology(StrEnum):
    CODE_128 = "code-128"
    DATAMATRIX = "datamatrix"
    EAN_13 = "ean-13"
    EAN_8 = "ean-8"
    GS1_DATABAR = "gs1-databar"
    ITF_14 = "itf-14"
    QR = "qr"
    UPC_E = "upc-e"

    def __str__(self) -> str:
        return str(self.value)
