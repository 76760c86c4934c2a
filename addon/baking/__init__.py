"""A bake from the button to the take: what is asked, the worker process, and what may go wrong meanwhile."""
