"""One policy a module."""
