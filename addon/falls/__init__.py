"""Falls: from what is set on a rig and its handles to options of the worker."""
