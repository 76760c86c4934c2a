"""Falls: what a person does on the way down, as a few numbers; poses that protect; when a fall cannot be avoided."""
