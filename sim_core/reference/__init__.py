"""The clip made into something to track."""
