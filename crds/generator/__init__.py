"""From crds/lock.toml to typed Python packages; runs at set-up, in the project's environment."""
