# SPDX-License-Identifier: MIT
"""Times a cell on every side, in short rounds in which each side has a turn: what else the machine does is shared."""

import statistics
import time
from dataclasses import asdict, dataclass, field

from cell import Cell
from sides import Environment, Unable, Weft

ROUNDS = 3
SLOW = 4  # a side whose turn took so many times what it was to take has no further one


@dataclass
class Timing:
    """Microseconds; of the peers, by their versions."""
    cell: Cell
    threads: int
    weft: float
    copy: float
    peers: dict[str, float] = field(default_factory=dict)

    @property
    def best(self) -> str | None:
        return min(self.peers, key=self.peers.get) if self.peers else None

    @property
    def ratio(self) -> float | None:
        """Below 1 weft is faster than every peer."""
        return self.weft / self.peers[self.best] if self.peers else None

    def stored(self) -> dict:
        return {**asdict(self.cell), "threads": self.threads, "weft_us": round(self.weft, 3),
                "copy_us": round(self.copy, 3), "peers_us": {name: round(us, 3) for name, us in self.peers.items()}}

    @staticmethod
    def restored(stored: dict) -> "Timing":
        cell = Cell(*(stored[name] for name in ("filter", "graph", "format", "radius", "width", "height")))
        return Timing(cell, stored["threads"], stored["weft_us"], stored["copy_us"], stored["peers_us"])


def time_cell(cell: Cell, weft: Weft, environments: list[Environment], threads: int, seconds: float,
              until: float, failures: list[str]) -> Timing:
    """`until`: when no further round is begun; the first one always is. Peers that fail are added to `failures`."""
    seconds /= ROUNDS
    times: dict[str, list[float]] = {}
    copies: list[float] = []
    left = [(None, "")] + [(environment, peer) for environment in environments for peer in environment.peers]
    for turn in range(ROUNDS):
        if turn and time.monotonic() > until:
            break
        for side in list(left):
            environment, peer = side
            begin = time.monotonic()
            if environment is None:
                answer = weft.bench(cell, threads, seconds)
                copies.append(answer["copy_us"])
                times.setdefault("", []).append(answer["time_us"])
                took = answer["time_us"] * answer["runs"] / 1e6
            else:
                try:
                    answer = environment.turn(peer, cell, seconds)
                except Unable as error:
                    failures.append(str(error))
                    answer = str(error)
                took = time.monotonic() - begin
                if isinstance(answer, str):
                    left.remove(side)
                    continue
                times.setdefault(environment.peers[peer]["version"], []).append(answer * 1e6)
            if took > SLOW * max(seconds, 0.5):
                left.remove(side)
    medians = {side: statistics.median(values) for side, values in times.items()}
    return Timing(cell, threads, medians.pop(""), statistics.median(copies), medians)
