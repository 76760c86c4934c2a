"""What drives the body: each controller turns a state into torques."""
