"""Beside the peers: better is plain, the rest is bold."""

from dataclasses import replace

from bench.bake_rows import Row
from bench.peers import page
from tests.bench.figures import FIGURES

ROW = Row(clip="walk", engine="mujoco", code="abc", budget="good", figures=FIGURES)


def test_what_is_not_better_than_every_peer_is_bold():
    assert "| walk | Heft, mujoco | 3.0 | 20 | **60** | none | 0.30 | 0.0 |" in page([ROW])  # MPC: 28 mm
    better = replace(ROW, figures=replace(FIGURES, mpjpe_global_mm=27.0))
    assert "| 3.0 | 20 | 27 |" in page([better])


def test_a_lost_performance_is_better_than_nobody():
    lost = replace(ROW, figures=replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0))
    assert "| **3.0** | **20** | **60** | **tipped over at 1.0 s** |" in page([lost])


def test_peers_stand_there_before_any_bake():
    assert "| spinkick | DeepMimic | 17.4 | 92 | 251 | 14 of 20 starts, in 20 s | 0.09 | none |" in page([])
