from enum import StrEnum


class ResultDataVerdictReasonType0(StrEnum):
    LOOK_ALIKES = "look-alikes"
    NOT_SIMILAR_ENOUGH = "not-similar-enough"
    NO_TEMPLATES = "no-templates"
    SEVERAL_ITEMS = "several-items"
    SIZE_DIFFERS = "size-differs"
    TEMPLATES_DISAGREE = "templates-disagree"
    UNLIKE_ALL = "unlike-all"
    WEIGHT_DIFFERS = "weight-differs"

    def __str__(self) -> str:
        return str(self.value)
