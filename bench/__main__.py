"""python -m bench: every quick measurement, one after the other."""

from bench import bake_cost, dynamics_speed, qp_speed, search_speed

print("Dynamics at 20 links, beside MuJoCo's own routines")
dynamics_speed.main()
print("\nOne solve of the tracking controller, by its parts")
qp_speed.main()
print("\nA whole bake beside the bare engine at the same step")
bake_cost.main()
print("\nA search beside one pass, and with a second process")
search_speed.main()
