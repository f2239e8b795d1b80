"""Whoever writes raw objects in place of components is judged all the same: by the real engine, at the preview."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from policies.preview import PACK
from tests.policies.programs import Program, broken

REASON = "moved to another pool this month"
SOON = (date.today() + timedelta(days=30)).isoformat()  # noqa: DTZ011  (the engine's own day)
POOLS = """
on = pulumi.ResourceOptions(provider=cluster("st-pool-a"))

def pool(name, **spec):
    metadata = {"name": name, "namespace": "rook-ceph"}
    return {"apiVersion": "ceph.rook.io/v1", "kind": "CephBlockPool", "metadata": metadata, "spec": spec}

class Raw(pulumi.CustomResource):
    pass

# a plain CustomResource under a name of its own in the program
k.apiextensions.CustomResource(
    "harmless", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": "plain", "namespace": "rook-ceph"}, spec={"replicated": {"size": 1}}, opts=on)
# a resource of no class at all, which says of itself nothing but its type
Raw("kubernetes:ceph.rook.io/v1:CephBlockPool", "typed",
    {"metadata": {"name": "by-type"}, "spec": {"replicated": {"size": 1}}}, on)
# one that calls itself a ConfigMap, and is none
Raw("kubernetes:core/v1:ConfigMap", "masked", pool("masked", replicated={"size": 1}), on)
# a patch of what is there
k.apiextensions.CustomResourcePatch(
    "patch", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": "patched", "namespace": "rook-ceph"}, spec={"replicated": {"size": 1}}, opts=on)
# values that come from outputs: of one that is known, and of one that is not
k.apiextensions.CustomResource(
    "output", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": pulumi.Output.from_input("by-output"), "namespace": "rook-ceph"},
    spec={"replicated": {"size": pulumi.Output.secret(1)}}, opts=on)
k.apiextensions.CustomResource(
    "later", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": "unknown", "namespace": "rook-ceph"}, spec={"replicated": {"size": unknown()}}, opts=on)
"""


def test_a_pool_is_a_pool_however_it_is_written(tmp_path: Path) -> None:
    result = Program.written(tmp_path, POOLS).run("preview")
    assert not result.good
    pools = {"plain", "by-type", "masked", "patched", "by-output", "unknown"}
    found = broken(result)
    assert found["stateful-is-protected"] == pools
    assert found["ceph-names"] == pools
    assert found["replication"] == pools, "a size that comes of an output is a size, and one that nobody knows is none"
    levels = {one.level for one in result.findings if one.policy == "replication"}
    assert levels == {"mandatory"}, "nothing becomes advice because a value is not known"


UNREAD = """
on = pulumi.ResourceOptions(provider=cluster("st-pool-a"))
k.apiextensions.CustomResource(
    "volumes", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": "volumes", "namespace": "rook-ceph"}, spec=unknown(), opts=on)
"""


def test_what_cannot_be_read_has_passed_with_nobody(tmp_path: Path) -> None:
    """It is said once; whoever else has asked for it has not judged the object."""
    result = Program.written(tmp_path, UNREAD).run("preview")
    (said,) = [one for one in result.mandatory if "spec is not known before the update" in one.says]
    assert said.policy != "replication"
    assert "replication" not in result.passed, "nobody has said how many copies there are"
    assert "tenant-facts" in result.passed


HIDDEN = """
on = pulumi.ResourceOptions(provider=cluster("st-pool-a"))
text = "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a, namespace: b}\\n"
group = k.yaml.v2.ConfigGroup("group", yaml=text, opts=on)
k.yaml.ConfigGroup("old", files=[], yaml=[text], opts=pulumi.ResourceOptions(providers={"kubernetes": on.provider}))
elsewhere = {"repo": "https://charts.example.com"}
release = k.helm.v3.Release("release", chart="a", version="1.2.3", repository_opts=elsewhere, opts=on)
# that one harmless object is seen says nothing of the others
for parent in (group, release):
    k.core.v1.ConfigMap(f"below-{parent._name}", metadata={"name": "below", "namespace": "default"},
        opts=pulumi.ResourceOptions(provider=on.provider, parent=parent))
k.helm.v4.Chart("chart", chart="oci://charts.example.com/a", version="1.2.3", opts=on)
k.core.v1.ConfigMap("anywhere", metadata={"name": "anywhere", "namespace": "default"}, data={"a": "b"})
k.Provider("nameless", kubeconfig=unknown())
k.core.v1.Secret("key", metadata={"name": "key", "namespace": "default"}, string_data={"userKey": "hidden"}, opts=on)
pulumi.export("keyring", pulumi.Output.secret("AQ" + "b" * 36 + "=="))
"""


def test_what_hides_its_objects_its_cluster_or_a_key_is_refused(tmp_path: Path) -> None:
    result = Program.written(tmp_path, HIDDEN).run("preview")
    found = broken(result)
    opaque = {one.says.partition(": ")[0] for one in result.findings if one.policy == "nothing-opaque"}
    assert opaque == {
        "kubernetes:yaml/v2:ConfigGroup group",
        "kubernetes:yaml:ConfigGroup old",
        "kubernetes:helm.sh/v3:Release release",
        "kubernetes:helm.sh/v4:Chart chart",
    }
    waits = [one for one in result.advisory if one.policy == "nothing-opaque"]
    assert [one.says.partition(": ")[0] for one in waits] == ["kubernetes:helm.sh/v4:Chart chart"]
    assert "each object is judged" in waits[0].says, "who waits says so"
    assert found["clusters-are-named"] == {"anywhere", "pulumi:providers:kubernetes nameless"}
    assert found["no-key-material"] == {"key"}
    assert any("the output keyring holds a key of Ceph" in one.says for one in result.mandatory)


UPDATE = """
made = k.Provider("made", render_yaml_to_directory="rendered", cluster_identifier="garden-c5c3/st-pool-a")
later = k.core.v1.ConfigMap("first", metadata={"name": "first", "namespace": "rook-ceph"}, data={"size": "1"},
    opts=pulumi.ResourceOptions(provider=made))
# what only the update knows: the plan has no word of the name
name = later.id.apply(lambda id: "late")
k.core.v1.Secret("second", metadata={"name": name, "namespace": "rook-ceph"},
    string_data=later.id.apply(lambda id: {"userKey": "hidden"} if pulumi.runtime.is_dry_run() is False else {}),
    opts=pulumi.ResourceOptions(provider=made))
"""


def test_an_update_refuses_an_object_before_it_is_made(tmp_path: Path) -> None:
    """What no preview has seen, as nobody asked for one: the first object is made, and the second is not."""
    program = Program.written(tmp_path, UPDATE)
    result = program.run("up", "--yes", "--skip-preview")
    assert "no-key-material" in broken(result), result
    types = [one["type"] for one in program.exported()["deployment"]["resources"]]
    assert "kubernetes:core/v1:ConfigMap" in types
    assert "kubernetes:core/v1:Secret" not in types, "it was judged before it was made"


LATER = """
made = k.Provider("made", render_yaml_to_directory="rendered", cluster_identifier="garden-c5c3/st-pool-a")
text = "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: hidden, namespace: b}\\n"
k.yaml.v2.ConfigGroup("group", yaml=text, opts=pulumi.ResourceOptions(provider=made))
"""


def test_an_update_without_a_preview_makes_nothing_that_hides(tmp_path: Path) -> None:
    """A policy of the whole stack would be asked when it is too late."""
    program = Program.written(tmp_path, LATER)
    result = program.run("up", "--yes", "--skip-preview")
    assert "nothing-opaque" in broken(result), result
    names = [one["urn"].rpartition("::")[2] for one in program.exported()["deployment"]["resources"]]
    assert not [name for name in names if "hidden" in name], "it was judged before it was made"
    assert not list(tmp_path.rglob("*hidden*.yaml"))


UNPROTECTED = """
on = pulumi.ResourceOptions(provider=cluster("st-pool-a"))
k.core.v1.PersistentVolumeClaim("data", metadata={"name": "data", "namespace": "a"}, opts=on)
"""
ADDRESS = "st-pool-a/a/PersistentVolumeClaim/data"


@pytest.mark.parametrize(
    ("config", "level", "says"),
    [
        ({"stateful-is-protected": {"exemptions": ["it"]}}, "advisory", "(Allowed until"),
        (
            {"stateful-is-protected": {"enforcementLevel": "advisory", "reason": REASON, "expires": SOON}},
            "advisory",
            "",
        ),
        ({"all": "disabled"}, "none", "makes it disabled with no reason and no expires"),
    ],
)
def test_the_configuration_passes_through_the_engine(
    tmp_path: Path, config: dict[str, Any], level: str, says: str
) -> None:
    entry = {"resource": ADDRESS.replace("st-pool-a", "garden-c5c3/st-pool-a"), "reason": REASON, "expires": SOON}
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config).replace('"it"', json.dumps(entry)))
    result = Program.written(tmp_path, UNPROTECTED).run("preview", "--policy-pack-config", str(file))
    found = [one for one in result.findings if one.policy == "stateful-is-protected"]
    if level == "none":
        assert not found
        assert any(says in one for one in result.mistakes), "the plan has failed, and so is no good one"
    else:
        assert [one.level for one in found] == [level], result
        assert says in found[0].says


STATE = """
made = k.Provider("made", render_yaml_to_directory="rendered", cluster_identifier="garden-c5c3/st-pool-a")
on = pulumi.ResourceOptions(provider=made)
k.apiextensions.CustomResource(
    "volumes", api_version="ceph.rook.io/v1", kind="CephBlockPool",
    metadata={"name": "customer-volumes", "namespace": "rook-ceph"}, spec={"replicated": {"size": 1}}, opts=on)
"""


def judged_state(place: Path, text: str) -> tuple[int, str]:
    """What comes of a state that was made when there was no pack; nothing but its file is needed then."""
    program = Program.written(place, text)
    assert program.pulumi("stack", "init", "raw").returncode == 0
    made = program.pulumi("up", "--yes", "--skip-preview", "--stack", "raw")
    assert made.returncode == 0, made.stdout + made.stderr
    file = place / "state.json"
    file.write_text(json.dumps(program.exported()))
    done = program.pulumi("policy", "analyze", "--file", str(file), "--policy-pack", str(PACK))
    return done.returncode, done.stdout + done.stderr


def test_what_runs_already_is_judged_from_an_exported_state(tmp_path: Path) -> None:
    code, said = judged_state(tmp_path, STATE)
    assert code != 0, said
    assert "clusters-are-there" in said, "the cluster is of no Shoot of this state"
    for policy in ("stateful-is-protected", "replication", "ceph-names"):
        assert f"[mandatory] [severity: {'high' if policy == 'replication' else 'critical'}]  {policy}" in said
    assert "st-pool-a/rook-ceph/CephBlockPool/customer-volumes: " in said


GOOD = """
made = k.Provider("made", render_yaml_to_directory="rendered", cluster_identifier="garden")
k.core.v1.PersistentVolumeClaim("data", metadata={"name": "data", "namespace": "a"},
    opts=pulumi.ResourceOptions(provider=made, protect=True))
"""


def test_a_good_state_passes(tmp_path: Path) -> None:
    code, said = judged_state(tmp_path, GOOD)
    assert code == 0, said
    assert "[mandatory]" not in said
