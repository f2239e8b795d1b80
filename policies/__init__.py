"""The policies of a region, which judge what is planned and know nothing of the components that planned it."""
