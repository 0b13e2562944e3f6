"""Gomoku and Hex as PettingZoo AEC environments.

An observation is two planes (own stones, the opponent's) and the mask of legal moves; an action is a cell counted row
by row. The winner's reward is 1, the loser's -1. An illegal move loses.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from pettingzoo.utils.agent_selector import AgentSelector

from ._tengen import Board


def env(game: str = "gomoku", size: Optional[int] = None, *, rule: str = "", render_mode: Optional[str] = None) -> AECEnv:
    """The environment with PettingZoo's usual wrappers: an illegal move ends the game with a loss."""
    raw = raw_env(game, size, rule=rule, render_mode=render_mode)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    )


class raw_env(AECEnv):  # noqa: N801, PettingZoo's own name for it
    """The environment without wrappers."""

    metadata = {"render_modes": ["ansi", "svg"], "name": "tengen_v0", "is_parallelizable": False, "render_fps": 2}

    def __init__(
        self, game: str = "gomoku", size: Optional[int] = None, *, rule: str = "", render_mode: Optional[str] = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "svg"):
            raise ValueError(f"render_mode={render_mode!r}; accepted: ansi, svg")
        self.render_mode = render_mode
        self._make = lambda: Board(game, size, rule=rule)
        self.board = self._make()
        self.possible_agents = ["black", "white"]
        cells = self.board.rows * self.board.cols
        shape = (self.board.rows, self.board.cols, 2)
        self.action_spaces = {agent: spaces.Discrete(cells) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low=0, high=1, shape=shape, dtype=np.int8),
                    "action_mask": spaces.Box(low=0, high=1, shape=(cells,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        self.board = self._make()
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._selector = AgentSelector(self.agents)
        self.agent_selection = self._selector.next()

    def observe(self, agent: str) -> Dict[str, "np.ndarray[Any, Any]"]:
        stones = np.frombuffer(self.board.to_bytes(), dtype=np.int8).reshape(self.board.rows, self.board.cols)
        own = 1 if agent == "black" else -1
        mask = np.zeros(stones.size, dtype=np.int8)
        if agent == self.agent_selection:
            for move in self.board.legal_moves:
                row, col = self.board.cell(move)
                mask[row * self.board.cols + col] = 1
        planes = np.stack([stones == own, stones == -own], axis=-1).astype(np.int8)
        return {"observation": planes, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that is still playing needs an action"
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.board.push(divmod(int(action), self.board.cols))
        result = self.board.result()
        if result is not None:
            for name in self.agents:
                self.rewards[name] = 0 if result == "draw" else 1 if name == result else -1
                self.terminations[name] = True
        self.agent_selection = self._selector.next()
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        if self.render_mode == "ansi":
            return str(self.board)
        if self.render_mode == "svg":
            return self.board._repr_svg_()
        return None

    def close(self) -> None:
        pass
