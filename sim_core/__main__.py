"""python -m sim_core: the command line, and the worker that Blender starts."""

import os
import sys

# Small matrices: threads cost more than they give, and one thread gives the same bits everywhere. Before numpy loads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

try:
    from .cli import main
except KeyboardInterrupt:  # before there is anything to cancel
    sys.exit(130)

if __name__ == "__main__":
    sys.exit(main())
