"""Stand-ins for the operators of a region: their objects become Ready here, and nothing runs behind them.

What only needs a status is a Stage of KWOK (sandbox/stages). kwok itself does not run them: one takes 57 MB for each
cluster, half a gigabyte for a region, and ends when one of its kinds is not there yet, while Flux brings kinds late.
What needs more than a status is a function of ceph.py, secret_stores.py or control_plane.py.
"""
