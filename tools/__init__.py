"""Set-up of everything that the region's program needs. Standard library only: it runs before anything is installed."""
