"""What is planted into good regions: for each policy what breaks it, and what only just does not."""

from tests.policies.cases import operations
from tests.policies.cases.case import CASES, Case
from tests.policies.cases.data import copies, credentials, protection
from tests.policies.cases.gate import known, opaque
from tests.policies.cases.isolation import ceph, compliance, keys, pools, privileges, shares, tenants
from tests.policies.cases.sizing import availability, capacity, services

__all__ = ["CASES", "TOPICS", "Case"]

# Each of them adds its cases as it is imported.
ISOLATION = (ceph, compliance, keys, pools, privileges, shares, tenants)
DATA = (copies, credentials, protection)
SIZING = (availability, capacity, services)
GATE = (known, opaque)
TOPICS = (*ISOLATION, *DATA, *SIZING, operations, *GATE)
