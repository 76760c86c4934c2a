"""What stands around a character: its collection read as objects for the worker, and where loose ones went."""
