"""The motion capture that lies beside the repository on development machines."""

from pathlib import Path

import pytest

MOCAP = Path(__file__).parents[1].parent / "shared" / "mocap"
needs_mocap = pytest.mark.skipif(
    not MOCAP.is_dir(), reason="Runs where the CMU clips lie in shared/mocap beside the repository."
)
