"""How one reaches a cluster that Gardener made: a kubeconfig without a credential, and the command that gets one.

`cobaltcore-access` is the command (`__main__.py`); Pulumi's Kubernetes provider and kubectl call it by the kubeconfig
of `kubeconfig.py`. `garden.py` is the connection to the garden that it asks, from the kubeconfig of a person.
"""
