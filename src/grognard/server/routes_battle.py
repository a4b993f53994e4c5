"""Playing a battle: what a seat sees, what it answers, and what it may look up while it thinks."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, Router, get, post, put
from litestar.di import NamedDependency, Provide
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter

from grognard.core.aids import FieldView, SightView
from grognard.core.view import BarView, OddsView, PreviewView, Prospect
from grognard.server import schema
from grognard.server.problems import SEATED, SENDING
from grognard.server.schema import Battle, Taken, Update
from grognard.server.security import At, take_seat

Here = NamedDependency[At]
Count = Annotated[int, QueryParameter(ge=0, le=2**31, description="How much of it the client has already.")]
Seq = Annotated[int, QueryParameter(ge=0, le=2**31, description="The sequence number of the question that stands.")]
Number = Annotated[int, PathParameter(ge=0, le=2**31)]
Name = Annotated[str, QueryParameter(min_length=1, max_length=80)]
Words = Annotated[str, QueryParameter(max_length=200, description="A unit, a unit and a verb, or these and a target.")]
Start = Annotated[str, QueryParameter(name="from", min_length=1, max_length=80, description="A unit or a place.")]
End = Annotated[str, QueryParameter(name="to", min_length=1, max_length=80, description="A unit or a place.")]
Thorough = Annotated[bool, QueryParameter(description="Ask the strongest program, and not the usual one.")]

SEAL = [{"seat": list[str]()}]


# ---- what a seat sees -------------------------------------------------------------------------------------


@get("/", operation_id="battle", responses=SEATED)
async def battle(at: Here) -> Battle:
    """What does not change while the battle is played."""
    return at.room.battle()


@get("/state", operation_id="state", responses=SEATED)
async def state(at: Here, log: Count = 0, frames: Count = 0) -> Update:
    """What the side sees now; of log and frames only what the client has not got."""
    return await at.room.update(at.seat, log, frames)


@get("/frames/{number:int}", operation_id="frame", responses=SEATED)
async def frame(at: Here, number: Number, reveal: FromQuery[bool] = False) -> Update:
    """What the side saw at an earlier moment; ``reveal`` shows everything once the battle is over."""
    return await at.room.frame(at.seat, number, reveal)


@get("/end", operation_id="end", responses=SEATED)
async def end(at: Here) -> schema.EndView:
    """How the battle ended, what it cost, who was lucky, and the seed of the dice."""
    return await at.room.end(at.seat)


@get("/save", operation_id="save", media_type="application/octet-stream", responses=SEATED)
async def save(at: Here) -> Response[bytes]:
    """The battle as a file, to keep or to take elsewhere."""
    data = await at.room.save(at.seat)
    disposition = f'attachment; filename="grognard-{at.room.id}.save"'
    return Response(data, media_type="application/octet-stream", headers={"Content-Disposition": disposition})


# ---- what a seat does --------------------------------------------------------------------------------------


@post("/answer", operation_id="answer", status_code=200, responses=SENDING)
async def answer(at: Here, data: JSONBody[schema.Answer]) -> Update:
    """Answer the question that stands; it is stored before this returns."""
    return await at.room.answer(at.seat, data.seq, data.key)


@post("/plan", operation_id="plan", status_code=200, responses=SENDING)
async def plan(at: Here, data: JSONBody[schema.Plan]) -> Taken:
    """Give several answers, taken one after the other until something unexpected is asked."""
    return await at.room.plan(at.seat, data.seq, data.keys)


@post("/undo", operation_id="undo", status_code=200, responses=SENDING)
async def undo(at: Here, data: JSONBody[schema.Undo]) -> Update:
    """Take the last answer back."""
    return await at.room.undo(at.seat, data.seq)


@put("/orders", operation_id="setOrders", responses=SENDING)
async def set_orders(at: Here, data: JSONBody[schema.Orders]) -> Update:
    """Replace the side's standing orders."""
    return await at.room.set_orders(at.seat, data.orders)


@post("/share", operation_id="share", status_code=200, responses=SENDING)
async def share(at: Here, data: JSONBody[schema.Share]) -> schema.Shared:
    """A link to a moment of the battle, as the side saw it."""
    return schema.Shared(f"/moment/{await at.room.share(at.seat, data.frame)}")


# ---- what a seat may look up --------------------------------------------------------------------------------


@get("/prospect", operation_id="prospect", responses=SEATED)
async def prospect(at: Here, seq: Seq, unit: Name) -> Prospect:
    """What a unit can do now, and where it can go."""
    return await at.room.prospect(at.seat, seq, unit)


@post("/odds", operation_id="odds", status_code=200, responses=SENDING)
async def odds(at: Here, data: JSONBody[schema.Ahead]) -> OddsView:
    """The exact chances of what answers lead to."""
    return await at.room.odds(at.seat, data.seq, data.keys)


@post("/preview", operation_id="preview", status_code=200, responses=SENDING)
async def preview(at: Here, data: JSONBody[schema.Placing]) -> PreviewView:
    """What a pose would come to: where each model would stand, what it costs, or why it is refused."""
    return await at.room.preview(at.seat, data.seq, data.key, data.area)


@get("/why-not", operation_id="whyNot", responses=SEATED)
async def why_not(at: Here, words: Words) -> list[BarView]:
    """Why something is not offered."""
    return await at.room.why_not(at.seat, words)


@get("/sight", operation_id="sight", responses=SEATED)
async def sight(at: Here, start: Start, end: End) -> SightView:
    """Line of sight between two units or places."""
    return await at.room.sight(at.seat, start, end)


@get("/field", operation_id="field", responses=SEATED)
async def field(at: Here, unit: Name) -> FieldView:
    """What a unit sees and can fire at from where it stands."""
    return await at.room.field(at.seat, unit)


@get("/log/{line:int}/odds", operation_id="rollOdds", responses=SEATED)
async def roll_odds(at: Here, line: Number) -> OddsView:
    """What the chances were of what a line of the log tells."""
    return await at.room.roll_odds(at.seat, line)


@get("/advice", operation_id="advice", responses=SEATED)
async def advice(at: Here, seq: Seq, thorough: Thorough = False) -> schema.ThoughtView:
    """What a program would answer in the seat's place, knowing what the seat knows, and why."""
    return await at.room.advice(at.seat, seq, thorough)


@get("/thoughts", operation_id="thoughts", responses=SEATED)
async def thoughts(at: Here, since: Count = 0) -> schema.Thoughts:
    """What the programs at the battle thought, so far as it gives nothing away; all of it when the battle is over."""
    return await at.room.thoughts(at.seat, since)


def battle_routes() -> Router:
    """All that needs a seat's token."""
    handlers = [battle, state, frame, end, save, answer, plan, undo, set_orders, share]
    aids = [prospect, odds, preview, why_not, sight, field, roll_odds, advice, thoughts]
    return Router(
        "/api/battles/{id:str}",
        route_handlers=[*handlers, *aids],
        dependencies={"at": Provide(take_seat)},
        security=SEAL,
        tags=["battle"],
    )
