"""Stand-ins for the operators of a region: their objects become Ready here, and nothing runs behind them.

What only needs a status is a Stage in KWOK's format (sandbox/stages): stages.py says which part of it is understood,
controller.py carries the Stages out in all clusters, docs/toolchain.md says why kwok itself does not.
What needs more than a status is a function of ceph.py, secret_stores.py or control_plane.py.
"""
