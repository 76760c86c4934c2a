"""The motion capture that lies beside the repository on development machines."""

from pathlib import Path

import pytest

MOCAP = Path(__file__).parents[1].parent / "shared" / "mocap"
needs_mocap = pytest.mark.skipif(not MOCAP.is_dir(), reason="The CMU clips are not beside this repository.")
