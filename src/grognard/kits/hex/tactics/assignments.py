"""Who goes where: units shared out over what is to be taken and held."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Post(NamedTuple):
    """A hex to take or to hold: what for, what it is worth, and how much power it needs."""

    hex: str
    kind: str
    want: float
    need: float


class Given(NamedTuple):
    """The post that a unit is given, and whether it is needed there; otherwise it helps."""

    post: Post
    needed: bool


def share_out(
    posts: Sequence[Post],
    powers: Mapping[str, float],
    hours: Mapping[tuple[str, int], float],
    holders: Mapping[int, str],
) -> dict[str, Given]:
    """First what each post needs, the nearest units first; the rest go where they help most.

    ``posts`` come with the best first. ``powers`` are the units that are free, by id; ``hours`` how long each is on its
    way to the post of a number; ``holders`` who stands on what is to be held, and stays there first of all.
    """
    free, given = dict(powers), dict[str, Given]()
    sent = [0.0] * len(posts)
    for n, post in enumerate(posts):
        id = holders.get(n, "")
        if id in free:
            sent[n] += free.pop(id)
            given[id] = Given(post, True)
    for n, post in enumerate(posts):
        for id in sorted(free, key=lambda id: (hours[id, n], id)):
            if sent[n] >= post.need:
                break
            sent[n] += free.pop(id)
            given[id] = Given(post, True)
    for id, power in free.items():

        def help(n: int, id: str = id) -> float:
            return posts[n].want / (1 + sent[n] / posts[n].need) / (1 + hours[id, n] / 3)

        n = max(range(len(posts)), key=lambda n: (help(n), -n))
        sent[n] += power
        given[id] = Given(posts[n], False)
    return given
