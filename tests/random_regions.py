"""Valid regions of every shape, for tests that must hold for all of them."""

from typing import Any

from hypothesis import strategies as st

Config = dict[str, Any]

ZONES = [f"az-{number}" for number in range(1, 8)]
WORDS = st.sampled_from(["a", "b2", "ab-cd", "x0", "standard", "longer-1"])
FREE_LABELS = st.dictionaries(
    st.sampled_from(["tier", "team", "example.com/cost-centre", "availability-zone"]), WORDS, max_size=3
)
VERSIONS = st.sampled_from(["1.33", "1.34.2", "1.35.4"])
ISSUERS: st.SearchStrategy[Any] = st.sampled_from(["ours", {"name": "ours"}, {"name": "ours", "kind": "Issuer"}])
COMPRESSION = st.sampled_from(["none", "passive", "aggressive", "force"])
ENVIRONMENTS = st.sampled_from(["production", "staging", "development"])
IMAGES = st.dictionaries(
    st.sampled_from(["nova", "keystone", "cortex"]),
    st.sampled_from(
        [
            {"repository": "ghcr.io/c5c3/image", "tag": "v1"},
            {"repository": "registry.example.com:5000/image", "digest": f"sha256:{'0' * 64}"},
        ]
    ),
    max_size=2,
)
COPIES = st.integers(3, 5)
MOST_QUOTA = 1000  # GiB, of which every storage pool below has room for all tenants


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Config]:
    """A mapping with some of the fields."""
    none: Config = {}
    return st.fixed_dictionaries(none, optional=fields)


WORKFORCE = optional(
    kubernetesVersion=VERSIONS,
    machineImage=optional(name=WORDS, version=st.just("1592.1.0")),
    maintenance=optional(begin=st.just("010000+0100"), end=st.just("020000+0100")),
    deletionProtection=st.booleans(),
)
NETWORKS = optional(
    type=st.sampled_from(["calico", "cilium"]), pods=st.just("100.64.0.0/12"), services=st.just("fd00::/112")
)
CONTROL_PLANE = optional(
    name=st.just("the-control-plane"),
    machineType=WORDS,
    volumeSize=st.sampled_from(["50Gi", "1T"]),
    highAvailability=st.booleans(),
    issuerRef=st.sampled_from([{"name": "ours"}, {"name": "ours", "kind": "Issuer"}]),
)
CEPH = optional(
    osdCount=st.integers(1, 100),
    deviceClass=st.sampled_from(["hdd", "ssd", "nvme"]),
    targetCapacity=st.sampled_from(["1Pi", "20P"]),
    replicationFactor=COPIES,
    encrypted=st.booleans(),
    monCount=st.sampled_from([1, 3, 5]),
    rbdMirrors=st.integers(0, 2),
)
SERVICES = optional(**{key: st.booleans() for key in ("nova", "neutron", "cinder", "octavia", "manila", "horizon")})
BACKEND = optional(replication=COPIES, compression=COMPRESSION, quotaGB=st.integers(0, MOST_QUOTA))
TENANT = optional(
    namespace=WORDS,
    environment=ENVIRONMENTS,
    tls=optional(enabled=st.booleans(), issuerRef=ISSUERS),
    network=optional(externalNetwork=WORDS, mtu=st.integers(1280, 9216)),
    sizing=optional(
        nova=optional(api=st.integers(1, 15), conductor=st.integers(1, 15)),
        mariadb=optional(replicas=st.sampled_from([3, 5]), storageSize=st.just("200Gi")),
        valkey=st.just({"replicas": 3, "sentinel": True}),
    ),
    images=IMAGES,
    labels=FREE_LABELS,
    monitoring=st.booleans(),
    deletionProtection=st.booleans(),
)


@st.composite
def workforces(draw: st.DrawFn, region: str, number: int, *, least: int, zones: int = 0) -> Config:
    """What every cluster has; its number keeps its network apart from the others'."""
    workers = draw(st.integers(least, 60))
    networks = draw(NETWORKS)
    if draw(st.booleans()):
        networks["nodes"] = f"10.{number}.0.0/16"
    spread = draw(st.integers(zones, min(workers, len(ZONES)))) if zones or draw(st.booleans()) else 0
    return {
        "region": region,
        "workers": workers,
        "maxWorkers": draw(st.integers(workers, 1000)),
        "zones": ZONES[:spread],
        "networking": networks,
        **draw(WORKFORCE),
    }


@st.composite
def control_planes(draw: st.DrawFn, region: str) -> Config:
    return {**draw(workforces(region, 0, least=5, zones=3)), **draw(CONTROL_PLANE)}


@st.composite
def hypervisor_pools(draw: st.DrawFn, region: str, number: int, least: int) -> Config:
    return {
        **draw(workforces(region, number, least=least)),
        "name": f"hv-{number}-{draw(WORDS)}",
        "ironcore": {"machinePool": f"servers-{number}", **draw(optional(machineClass=WORDS))},
        "labels": draw(FREE_LABELS),
    }


@st.composite
def storage_pools(draw: st.DrawFn, region: str, number: int) -> Config:
    domain = draw(st.sampled_from(["host", "rack", "zone"]))
    ceph: Config = {**draw(CEPH), "failureDomain": domain}
    arbiter = draw(optional(arbiterCluster=st.just("third-site"))) if ceph.get("monCount") != 1 else {}
    return {
        **draw(workforces(region, number, least=5, zones=5 if domain == "zone" else 0)),
        "name": f"st-{number}-{draw(WORDS)}",
        "ironcore": {"machinePool": f"servers-{number}"},
        "labels": draw(FREE_LABELS),
        "ceph": ceph,
        **arbiter,
    }


@st.composite
def services(draw: st.DrawFn) -> Config:
    given = draw(SERVICES)
    given["glance"] = given.get("cinder") is False or draw(st.booleans())  # something of a tenant stands on Ceph
    given["nova"] = given.get("nova", True) and given.get("neutron", True) and given["glance"]
    given["octavia"] = given.get("octavia", False) and given["nova"]
    return given


@st.composite
def tenant_storage(draw: st.DrawFn, pools: list[Config], *, cinder: bool, manila: bool) -> Config:
    names = [pool["name"] for pool in pools]
    where = st.sampled_from(names)
    mirrored = cinder and all(pool["ceph"].get("rbdMirrors") for pool in pools)
    ceph = draw(
        optional(
            volumePool=optional(
                replication=COPIES,
                compression=COMPRESSION,
                quotaGB=st.integers(0, MOST_QUOTA),
                backends=st.fixed_dictionaries(dict.fromkeys(names, BACKEND)),
                mirroring=optional(enabled=st.just(mirrored), mode=st.sampled_from(["image", "pool"])),
            ),
            imagePool=optional(replication=COPIES, compression=COMPRESSION, storageCluster=where),
            ephemeralPool=optional(enabled=st.booleans(), replication=st.integers(1, 5), storageCluster=where),
            objectStore=optional(
                enabled=st.booleans(),
                dataPoolReplication=COPIES,
                metadataPoolReplication=COPIES,
                instances=st.integers(1, 15),
                sslCertificateRef=WORDS,
                storageCluster=where,
            ),
        )
    )
    return {"ceph": {**ceph, "filesystem": {"enabled": manila, **draw(optional(dataPoolReplication=COPIES))}}}


@st.composite
def tenants(draw: st.DrawFn, number: int, most: int, pools: list[Config], stores: list[Config]) -> Config:
    """One tenant, of at most `most`, on some of the pools."""
    size = draw(st.sampled_from(["small", "medium", "large", "xlarge"]))
    has = draw(services())
    on = draw(st.lists(st.sampled_from(pools), min_size=1, max_size=3, unique_by=lambda pool: pool["name"]))
    cinder = has.get("cinder", True)
    with_volumes = 3 if cinder else 1
    kept = draw(
        st.lists(st.sampled_from(stores), min_size=1, max_size=with_volumes, unique_by=lambda pool: pool["name"])
    )
    shares = {pool["name"]: (pool["workers"] - 1) // most for pool in on}
    pipelines = [one for one in ("nova", "cinder") if has.get(one, True)]
    tested = cinder and has["nova"]
    claim = draw(
        optional(
            controlPlaneCluster=st.none(),
            nodeShares=optional(**{name: st.integers(1, share) for name, share in shares.items() if share}),
            cortex=st.fixed_dictionaries({"enabled": st.just(bool(pipelines)), "pipelines": st.just(pipelines)}),
            tempest=optional(enabled=st.just(tested), schedule=st.just("0 4 * * 1")),
            storage=tenant_storage(kept, cinder=cinder, manila=has.get("manila", False)),
        )
    )
    if has.get("manila"):
        claim.setdefault("storage", {"ceph": {"filesystem": {"enabled": True}}})
    return {
        "region": pools[0]["region"],
        "name": f"tenant-{number}-{draw(WORDS)}",
        "size": size,
        "hypervisorClusters": [pool["name"] for pool in on],
        "storageClusters": [pool["name"] for pool in kept],
        "services": has,
        **draw(TENANT),
        **claim,
    }


def sealed(region: str) -> tuple[Config, Config, Config]:
    """A tenant under compliance on pools of its own."""
    labels = {"dedicated": "true", "compliance": "sox", "isolation": "physical"}
    common = {"region": region, "labels": labels}
    pool = {**common, "name": "hv-sealed", "ironcore": {"machinePool": "sealed-rack-1"}}
    store = {**common, "name": "st-sealed", "ironcore": {"machinePool": "sealed-rack-2"}, "ceph": {"encrypted": True}}
    on = {"hypervisorClusters": ["hv-sealed"], "storageClusters": ["st-sealed"]}
    return pool, store, {"region": region, "name": "sealed", "size": "large", **on}


@st.composite
def regions(draw: st.DrawFn, most_pools: int = 4, most_tenants: int = 6, least_tenants: int = 0) -> Config:
    """A region's configuration, by the keys of the stack file without their prefix."""
    region = draw(st.sampled_from(["eu-de-1", "us-east-1", "x", f"ap-{'far' * 8}-2"]))
    least = max(1, most_tenants)  # a node for each tenant
    pools = [draw(hypervisor_pools(region, 1 + at, least)) for at in range(draw(st.integers(1, most_pools)))]
    stores = [draw(storage_pools(region, 101 + at)) for at in range(draw(st.integers(1, most_pools)))]
    made = draw(st.integers(least_tenants, most_tenants))
    claims = [draw(tenants(at, most_tenants, pools, stores)) for at in range(made)]
    if draw(st.booleans()):
        pool, store, tenant = sealed(region)
        pools, stores, claims = [*pools, pool], [*stores, store], [tenant, *claims]
    return {
        "region": region,
        "garden": {"kubeconfig": "garden.yaml", **draw(optional(namespace=st.just("garden-c5")))},
        "controlPlane": draw(control_planes(region)),
        "hypervisorPools": pools,
        "storagePools": stores,
        "openStackClusters": claims,
        **draw(optional(environment=ENVIRONMENTS)),
    }
