"""Errors as the client reads them: every refusal is a Problem with a status, told in one place."""

from __future__ import annotations

import logging
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi.datastructures import ResponseSpec

from grognard.core.errors import GrognardError, IllegalError, MalformedError, StaleError, VersionError
from grognard.core.session import UndoError
from grognard.server.errors import ForbiddenError, MissingError, TokenError, TooMuchError
from grognard.server.schema import Problem
from grognard.server.store import ConflictError
from grognard.server.writer import StoreError

log = logging.getLogger("grognard.server")

#: What the framework itself refuses, by status.
KINDS = {401: "forbidden", 403: "forbidden", 404: "missing", 413: "too_much", 429: "too_much"}
TEXTS = {
    404: "There's nothing at this address.",
    405: "This address doesn't accept that method.",
    413: "The message is too large for this address.",
}
#: How the framework says that a client hung up in the midst of its message: nobody's fault but the client's.
GONE = "client disconnected prematurely"
DESCRIPTIONS = {
    400: "The message or the address is malformed.",
    401: "The seat's token is missing or wrong.",
    403: "The seat may not do that.",
    404: "Not found.",
    409: "The answer is illegal or stale, or the undo is not allowed.",
    413: "The message is too large.",
    429: "Too many calls, or too many battles at once.",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that an operation declares."""
    return {status: ResponseSpec(Problem, False, DESCRIPTIONS[status]) for status in statuses}


#: Whoever asks anything may be malformed or too quick; whoever sits at a battle may be wrong in every way.
PUBLIC = refusals(400, 404, 429)
SEATED = refusals(400, 401, 403, 404, 409, 429)
SENDING = refusals(400, 401, 403, 404, 409, 413, 429)


def problem_of(error: Exception) -> tuple[int, Problem]:
    """The status and the text of an error; what was not foreseen is 500 and tells nothing of the inside."""
    match error:
        case StaleError():
            return 409, Problem("stale", str(error), seq=error.current)
        case IllegalError():
            return 409, Problem("illegal", str(error))
        case ConflictError():
            return 409, Problem("stale", str(error))
        case StoreError():
            return 503, Problem("internal", str(error))
        case UndoError():
            return 409, Problem("undo", str(error))
        case TokenError():
            return 401, Problem("forbidden", str(error))
        case ForbiddenError():
            return 403, Problem("forbidden", str(error))
        case MissingError():
            return 404, Problem("missing", str(error))
        case TooMuchError():
            return error.status, Problem("too_much", str(error))
        case MalformedError():
            kind = "version" if isinstance(error, VersionError) else "malformed"
            return 400, Problem(kind, str(error), faults=[str(fault) for fault in error.faults])
        case GrognardError():
            return 400, Problem("malformed", str(error))
        case HTTPException() if error.status_code < 500:
            return _refused(error)
        case RecursionError():
            return 400, Problem("malformed", "The message is nested too deeply.")
        case UnicodeDecodeError():
            return 400, Problem("malformed", "The message isn't UTF-8 text.")
        case HTTPException() if error.detail == GONE:
            return 400, Problem("malformed", "The message is incomplete.")
    return 500, Problem("internal", "Something went wrong on the server. The error has been logged.")


def _refused(error: HTTPException) -> tuple[int, Problem]:
    status = 400 if error.status_code == 422 else error.status_code
    extra: Any = error.extra or []
    faults = [_fault(each) for each in extra] if isinstance(extra, list) else []
    text = TEXTS.get(status) or error.detail or "The message isn't valid."
    if status == 400:
        # The framework names the method and the whole address in front; the rest says what is wrong.
        text = "The message or its address isn't valid." if faults else text.split("\n")[0]
    return status, Problem(KINDS.get(status, "malformed"), text, faults=faults)


def _fault(entry: Any) -> str:
    if not isinstance(entry, dict):
        return str(entry)
    place = entry.get("key", "")
    return f"{place}: {entry.get('message', '')}" if place else str(entry.get("message", ""))


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    """The answer to a request that went wrong."""
    status, problem = problem_of(error)
    if status >= 500:
        log.error("%s %s", request.method, request.scope["path"].partition("/moments/")[0], exc_info=error)
    headers = dict(getattr(error, "headers", None) or {})
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(problem, status_code=status, headers=headers, media_type="application/json")
