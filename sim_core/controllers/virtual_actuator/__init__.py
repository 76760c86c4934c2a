"""Balance without a QP: virtual forces turned into torques by a Jacobian's transpose, and feet that do not topple."""
