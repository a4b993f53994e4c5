"""Playing a battle: what a seat sees, what it answers, and what it may look up while it thinks."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request, Response, Router, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter

from grognard.core.aid_views import FieldView, PlaceWord, SightView, UnitWord
from grognard.core.errors import GrognardError, VersionError
from grognard.core.view import BarView, OddsView, PreviewView, Prospect
from grognard.server import schema
from grognard.server.context import context_of
from grognard.server.problems import SEATED, SENDING
from grognard.server.schema import Battle, Taken, Update
from grognard.server.security import At, take_seat, token_of

Here = NamedDependency[At]
Count = Annotated[int, QueryParameter(ge=0, le=2**31, description="How much of it the client already has.")]
Seq = Annotated[int, QueryParameter(ge=0, le=2**31, description="The sequence number of the current question.")]
Number = Annotated[int, PathParameter(ge=0, le=2**31)]
Name = Annotated[str, QueryParameter(min_length=1, max_length=80)]
Words = Annotated[str, QueryParameter(max_length=200, description="A unit, a unit and a verb, or these and a target.")]
FromUnit = Annotated[str, QueryParameter(max_length=80, description="The id of the unit at this end.")]
FromPlace = Annotated[str, QueryParameter(max_length=80, description="The place to measure from, instead of a unit.")]
ToUnit = Annotated[str, QueryParameter(max_length=80, description="The id of the unit at the other end.")]
ToPlace = Annotated[str, QueryParameter(max_length=80, description="The place to measure to, instead of a unit.")]
Thorough = Annotated[bool, QueryParameter(description="Ask the strongest computer player, not the usual one.")]

SEAL = [{"seat": list[str]()}]


# ---- what a seat sees -------------------------------------------------------------------------------------


@get("/", operation_id="battle", responses=SEATED)
async def battle(at: Here) -> Battle:
    """What does not change while the battle is played."""
    return at.battle.description


@get("/state", operation_id="state", responses=SEATED)
async def state(at: Here, log: Count = 0, frames: Count = 0) -> Update:
    """What the side sees now; of log and frames only what the client has not got."""
    return await at.battle.update(at.seat, log, frames)


@get("/frames/{number:int}", operation_id="frame", responses=SEATED)
async def frame(at: Here, number: Number, reveal: FromQuery[bool] = False) -> Update:
    """What the side saw at an earlier moment; ``reveal`` shows everything once the battle is over."""
    return await at.battle.frame(at.seat, number, reveal)


@get("/end", operation_id="end", responses=SEATED)
async def end(at: Here) -> schema.EndView:
    """How the battle ended, what it cost, who was lucky, and the seed of the dice."""
    return await at.battle.end(at.seat)


@get("/save", operation_id="save", media_type="application/octet-stream", responses=SEATED)
async def save(request: Request[Any, Any, Any], id: FromPath[str]) -> Response[bytes]:
    """The battle as a file, to keep or to take elsewhere; also one that this version of the rules cannot open."""
    try:
        at = await take_seat(request, id)
        data = await at.battle.save(at.seat)
    except VersionError:
        data = await context_of(request).battles.export(id, token_of(request))
    disposition = f'attachment; filename="grognard-{id}.save"'
    return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


# ---- what a seat does --------------------------------------------------------------------------------------


@post("/answer", operation_id="answer", status_code=200, responses=SENDING)
async def answer(at: Here, data: JSONBody[schema.Answer]) -> Update:
    """Answer the question that stands; it is stored before this returns."""
    return await at.battle.answer(at.seat, data.seq, data.key)


@post("/plan", operation_id="plan", status_code=200, responses=SENDING)
async def plan(at: Here, data: JSONBody[schema.Plan]) -> Taken:
    """Give several answers, taken one after the other until something unexpected is asked."""
    return await at.battle.plan(at.seat, data.seq, data.keys)


@post("/undo", operation_id="undo", status_code=200, responses=SENDING)
async def undo(at: Here, data: JSONBody[schema.Undo]) -> Update:
    """Take the last answer back."""
    return await at.battle.undo(at.seat, data.seq)


@post("/take-back", operation_id="takeBack", status_code=200, responses=SENDING)
async def take_back(at: Here, data: JSONBody[schema.TakingBack]) -> Update:
    """Between people: ask for a take-back, grant or refuse the other side's, or withdraw one's own."""
    return await at.battle.take_back(at.seat, data.number, data.say)


@put("/orders", operation_id="setOrders", responses=SENDING)
async def set_orders(at: Here, data: JSONBody[schema.Orders]) -> Update:
    """Replace the side's standing orders."""
    return await at.battle.set_orders(at.seat, data.orders)


@post("/share", operation_id="share", status_code=200, responses=SENDING)
async def share(at: Here, data: JSONBody[schema.Share]) -> schema.Shared:
    """A link to a moment of the battle, as the side saw it."""
    return schema.Shared(f"/moment/{await at.battle.share(at.seat, data.frame)}")


# ---- what a seat may look up --------------------------------------------------------------------------------


@get("/prospect", operation_id="prospect", responses=SEATED)
async def prospect(at: Here, seq: Seq, unit: Name) -> Prospect:
    """What a unit can do now, and where it can go."""
    return await at.battle.prospect(at.seat, seq, unit)


@post("/odds", operation_id="odds", status_code=200, responses=SENDING)
async def odds(at: Here, data: JSONBody[schema.Ahead]) -> OddsView:
    """The chances of what answers lead to: exact, or an estimate at once."""
    return await at.battle.odds(at.seat, data.seq, data.keys, data.quick)


@post("/preview", operation_id="preview", status_code=200, responses=SENDING)
async def preview(at: Here, data: JSONBody[schema.Placing]) -> PreviewView:
    """What a pose or a draft would come to: where models would stand, what it costs, or all that stands against it."""
    return await at.battle.preview(at.seat, data.seq, data.key, data.area)


@get("/why-not", operation_id="whyNot", responses=SEATED)
async def why_not(at: Here, words: Words) -> list[BarView]:
    """Why something is not offered."""
    return await at.battle.why_not(at.seat, words)


@get("/sight", operation_id="sight", responses=SEATED)
async def sight(
    at: Here, from_unit: FromUnit = "", from_place: FromPlace = "", to_unit: ToUnit = "", to_place: ToPlace = ""
) -> SightView:
    """Line of sight between two units or places; of each end say which it is."""
    return await at.battle.sight(at.seat, _end("from", from_unit, from_place), _end("to", to_unit, to_place))


def _end(which: str, unit: str, place: str) -> str:
    if bool(unit) == bool(place):
        raise GrognardError(f"Give either {which}_unit or {which}_place.")
    return UnitWord(unit) if unit else PlaceWord(place)


@get("/field", operation_id="field", responses=SEATED)
async def field(at: Here, unit: Name) -> FieldView:
    """What a unit sees and can fire at from where it stands."""
    return await at.battle.field(at.seat, unit)


@get("/log/{line:int}/odds", operation_id="rollOdds", responses=SEATED)
async def roll_odds(at: Here, line: Number) -> OddsView:
    """What the chances were of what a line of the log tells."""
    return await at.battle.roll_odds(at.seat, line)


@get("/advice", operation_id="advice", responses=SEATED)
async def advice(at: Here, seq: Seq, thorough: Thorough = False) -> schema.ThoughtView:
    """What a program would answer in the seat's place, knowing what the seat knows, and why."""
    return await at.battle.advice(at.seat, seq, thorough)


@get("/thoughts", operation_id="thoughts", responses=SEATED)
async def thoughts(at: Here, since: Count = 0) -> schema.Thoughts:
    """What the programs at the battle thought, so far as it gives nothing away; all of it when the battle is over."""
    return await at.battle.thoughts(at.seat, since)


def battle_routes() -> Router:
    """All that needs a seat's token."""
    handlers = [battle, state, frame, end, save, answer, plan, undo, take_back, set_orders, share]
    aids = [prospect, odds, preview, why_not, sight, field, roll_odds, advice, thoughts]
    return Router(
        "/api/battles/{id:str}",
        route_handlers=[*handlers, *aids],
        dependencies={"at": Provide(take_seat)},
        security=SEAL,
        tags=["battle"],
    )
