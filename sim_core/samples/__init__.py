"""Clips to try Heft on: some made by code, some from the data that comes with PyBullet."""
