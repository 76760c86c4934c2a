"""The loop of controller and engine, and the search around it."""
