"""The AEC environment against PettingZoo's own tests."""

import pytest
from pettingzoo.test import api_test, seed_test

from tengen.pettingzoo import env, raw_env


@pytest.mark.parametrize(("game", "size"), [("gomoku", 9), ("hex", 5)])
def test_pettingzoo_accepts_the_environment(game, size):
    api_test(env(game, size), num_cycles=500, verbose_progress=False)
    seed_test(lambda: env(game, size), num_cycles=50)


def test_rendering():
    for mode, part in (("ansi", "black to move"), ("svg", "<svg")):
        game = env("gomoku", 9, render_mode=mode)
        game.reset()
        assert part in game.render()
    with pytest.raises(ValueError, match="ansi"):
        raw_env(render_mode="human")


def test_rewards_are_those_of_the_rules():
    game = env("hex", 2)
    game.reset()
    for action in (0, 1, 2):
        game.step(action)
    assert game.rewards == {"black": 1, "white": -1} and all(game.terminations.values())


def test_an_illegal_action_loses():
    game = env("hex", 3)
    game.reset()
    game.step(0)
    game.step(0)
    assert game.rewards["white"] == -1 and all(game.terminations.values())
