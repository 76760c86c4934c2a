"""The page of all bakes: groups, halves, shares, and what is not done yet."""

from dataclasses import replace

from bench.bake_rows import Row, code_digest
from bench.clips import BenchClip
from bench.tracking_matrix import page
from tests.bench.figures import FIGURES

CLIPS = [BenchClip(name, None) for name in ("07_05", "walk", "jump", "crawl")]
ROWS = [
    Row(clip=clip.name, engine=engine, code=code_digest(), budget="good", figures=FIGURES)
    for clip in CLIPS
    for engine in ("bullet", "mujoco")
]


def _page(rows):
    return page(rows, CLIPS, ["bullet", "mujoco"], "good")


def test_every_clip_stands_under_its_group_and_half():
    sections = {part.splitlines()[0]: part for part in _page(ROWS).split("\n## ")[1:]}
    homes = {name: [head for head, part in sections.items() if f"\n| {name} |" in part] for name in ("07_05", "walk")}
    assert homes["07_05"] == ["Walks, styles, squat, boxing, balance: clips used for tuning"]
    assert homes["walk"] == ["Walks, styles, squat, boxing, balance: clips that were not used for tuning"]
    assert "\n| crawl | 4.0 | bullet | yes | 0.0 |" in sections["Beyond the targets"]
    assert "at most 0.5 s per simulated s" in sections[homes["walk"][0]]


def test_a_target_has_its_share_on_each_engine():
    lost = replace(ROWS[2], figures=replace(FIGURES, completed=False, why="tipped over", fell_at_s=1.0))
    text = _page([*ROWS[:2], lost, *ROWS[3:]])
    assert "| joint error: at most 4 deg | 0 of 1 (0 %) | 1 of 1 (100 %), mean 3.0 |" in text
    assert "| **no, tipped over at 1.0 s** |" in text


def test_a_page_says_what_it_lacks():
    assert "So far" not in _page(ROWS)
    assert "So far 7 of 8 bakes are done" in _page(ROWS[:-1])
    assert "Another version of the code has baked 1 of the rows" in _page([replace(ROWS[0], code="older"), *ROWS[1:]])
    failed = replace(ROWS[0], figures=None, message="SettingsError: no")
    assert "**error: SettingsError: no**" in _page([failed, *ROWS[1:]])
