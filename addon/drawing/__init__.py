"""What is drawn over the viewport and the timeline."""
