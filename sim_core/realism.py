"""The dial from realistic to unfallable: one number for how far help from outside may go, for every controller.

The middle is what the 2017 paper used for most of its results (section 6). From there to realistic, a foot is steadied
later and later, until not at all; to unfallable, sooner and ever more strongly. The assist at the pelvis, which only
bodies that fall all the same are given, has a limit that goes the same way.
"""

from typing import NamedTuple

from .settings import Assist, OfBodyWeight, VaSettings

REALISTIC, PLAUSIBLE, UNFALLABLE = 1.0, 0.5, 0.0

_PAPER = VaSettings()
_PLAUSIBLE_BW = 0.4  # of the assist at the pelvis
_MOST_BW = 3.2
_STRONGEST = 2000.0  # [N m] just before unfallable


class Help(NamedTuple):
    """What a place of the dial stands for."""

    va: VaSettings
    assist: Assist


def help_at(realism: float) -> Help:
    """From 1, pure physics, to 0, where nothing falls."""
    if realism >= REALISTIC:
        return Help(VaSettings(thr_min=_PAPER.thr_max, thr_max=_PAPER.thr_max), "none")
    if realism >= PLAUSIBLE:
        share = (REALISTIC - realism) / (REALISTIC - PLAUSIBLE)
        later = _PAPER.thr_max + share * (_PAPER.thr_min - _PAPER.thr_max)
        return Help(VaSettings(thr_min=later, thr_max=_PAPER.thr_max), OfBodyWeight(share=share * _PLAUSIBLE_BW))
    share = (PLAUSIBLE - realism) / (PLAUSIBLE - UNFALLABLE)
    sooner = (1.0 - share) * _PAPER.thr_min
    if realism <= UNFALLABLE:
        return Help(VaSettings(thr_min=sooner, thr_max=float("inf")), "least")
    stronger = _PAPER.thr_max * (_STRONGEST / _PAPER.thr_max) ** share
    limit = _PLAUSIBLE_BW * (_MOST_BW / _PLAUSIBLE_BW) ** share
    return Help(VaSettings(thr_min=sooner, thr_max=stronger), OfBodyWeight(share=limit))
