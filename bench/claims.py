"""What it takes to validate a stack file, beside PyYAML's fastest reading of the same text in the same run."""

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from model import stack_file

BUDGET = 1.0  # seconds for the largest
GROWTH = 1.5  # of the time for one tenant, from the middle to the largest
TENANTS = (10, 100, 1000)
RUNS = 5

REGION = """\
config:
  cobaltcore:region: eu-de-1
  cobaltcore:garden: {kubeconfig: ~/.garden/eu-de-1.yaml}
  cobaltcore:controlPlane: {region: eu-de-1, zones: [eu-de-1a, eu-de-1b, eu-de-1c]}
  cobaltcore:hypervisorPools:
    - {region: eu-de-1, name: hv-pool-a, workers: 900, maxWorkers: 1000, ironcore: {machinePool: hypervisors-a}}
    - {region: eu-de-1, name: hv-pool-b, workers: 900, maxWorkers: 1000, ironcore: {machinePool: hypervisors-b}}
  cobaltcore:storagePools:
    - region: eu-de-1
      name: st-pool-a
      workers: 30
      maxWorkers: 60
      ironcore: {machinePool: storage-a}
      ceph: {osdCount: 60, targetCapacity: 100Pi}
  cobaltcore:openStackClusters:
"""
TENANT = """\
    - region: eu-de-1
      name: customer-{number}
      namespace: tenant-customer-{number}
      size: large
      hypervisorClusters: [hv-pool-a, hv-pool-b]
      storageClusters: [st-pool-a]
      services: {{nova: true, neutron: true, cinder: true, glance: true, octavia: true}}
      cortex: {{enabled: true, pipelines: [nova, cinder]}}
      tls: {{enabled: true, issuerRef: letsencrypt-prod}}
      storage:
        ceph:
          volumePool: {{replication: 3, compression: aggressive, quotaGB: 10000}}
          imagePool: {{replication: 3}}
"""


def best(measured: Callable[[], object]) -> float:
    """Seconds of the processor, of the fastest of some runs: what else the machine does is not the model's."""
    times: list[float] = []
    for _ in range(RUNS):
        began = time.process_time()
        measured()
        times.append(time.process_time() - began)
    return min(times)


def main() -> int:
    print("tenants   the model        a tenant   yaml.CSafeLoader   ratio")
    seconds: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for tenants in TENANTS:
            text = REGION + "".join(TENANT.format(number=number) for number in range(tenants))
            Path(folder, "Pulumi.bench.yaml").write_text(text)
            found = len(stack_file("bench", Path(folder)).open_stack_clusters)
            assert found == tenants, f"{found} tenants of {tenants} arrived"
            own = seconds[tenants] = best(lambda: stack_file("bench", Path(folder)))
            peer = best(lambda text=text: yaml.load(text, yaml.CSafeLoader))
            each = 1000 * own / tenants
            print(f"{tenants:7}   {own:7.3f} s   {each:10.3f} ms   {peer:14.3f} s   {own / peer:5.1f}")
    middle, largest = TENANTS[-2:]
    growth = (seconds[largest] / largest) / (seconds[middle] / middle)
    print(f"{largest} tenants take {seconds[largest]:.2f} s (at most {BUDGET} s); ", end="")
    print(f"one takes {growth:.2f} times what it takes among {middle} (at most {GROWTH})")
    return 0 if seconds[largest] <= BUDGET and growth <= GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
