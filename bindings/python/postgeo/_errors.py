"""Exceptions. Each kind of error of the library has a class."""


class Error(Exception):
    """An error of the library. The subclass is its kind.

    kind is the kind in words, code that of the HTTP contract or "". param, input and
    range describe the argument at fault, if there is one.
    """

    def __init__(self, message, kind="other", code="", param="", input="", range=""):
        super().__init__(message)
        self.kind, self.code, self.param, self.input, self.range = kind, code, param, input, range

    @staticmethod
    def _of(described):
        status = described.pop("status")
        return _KINDS.get(status, Error)(**described)

    def __reduce__(self):
        return type(self), (self.args[0], self.kind, self.code, self.param, self.input, self.range)


class NotFoundError(Error, LookupError):
    """The input is well-formed and does not exist."""


class InvalidCodeError(Error, ValueError):
    """The input is not a code, coordinate or address."""


class InvalidParamError(Error, ValueError):
    """An argument or option is unknown or out of range."""


class UnavailableError(Error):
    """The dataset lacks the required data."""


class AmbiguousError(Error, LookupError):
    """Several records match equally well."""


class DamagedError(Error):
    """The dataset file is damaged."""


class ClosedError(Error):
    """The dataset is closed."""


class NotDatasetError(Error):
    """The file is not a dataset."""


class VersionError(Error):
    """The dataset has an unsupported format version."""


_KINDS = dict(enumerate((NotFoundError, InvalidCodeError, InvalidParamError, UnavailableError, AmbiguousError, DamagedError, ClosedError, NotDatasetError, VersionError), 1))
