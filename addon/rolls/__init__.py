"""Rolls: from what is set on a rig, its handle and its key poses to options of the worker."""
