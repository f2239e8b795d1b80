"""What a person reads when Flux could not deliver something."""

from access.flux_status import explained, flux_path

RELEASE = {
    "kind": "HelmRelease",
    "metadata": {"name": "rook-ceph", "namespace": "st-pool-a", "labels": {"c5c3.io/cluster": "st-pool-a"}},
}


def status(*conditions: tuple[str, str]) -> dict[str, object]:
    return {"status": {"conditions": [{"type": kind, "message": message} for kind, message in conditions]}}


def test_it_names_release_and_cluster_and_repeats_what_flux_says() -> None:
    said = explained({**RELEASE, **status(("Reconciling", "no"), ("Ready", "no chart\nof that version."))}, 20)
    assert said.startswith(
        "Release rook-ceph in cluster st-pool-a is not ready: it was waited for up to 20 min. "
        "Flux says: no chart of that version. Flux goes on trying"
    )
    assert "`kubectl -n st-pool-a describe helmrelease rook-ceph` in the management cluster" in said


def test_why_flux_gave_up_is_said_and_nothing_twice() -> None:
    said = explained({**RELEASE, **status(("Ready", "it failed"), ("Stalled", "no retry is left"))}, 20)
    assert "Flux says: it failed; no retry is left. " in said
    assert "Flux says: same. " in explained({**RELEASE, **status(("Ready", "same"), ("Stalled", "same"))}, 20)


def test_a_dependency_that_somebody_took_away_is_made_again_by_a_refresh() -> None:
    why = "unable to get 'hv/ovs' dependency: helmreleases.helm.toolkit.fluxcd.io \"ovs\" not found"
    said = explained({**RELEASE, **status(("Ready", why))}, 20)
    assert said.endswith("run the update again with `--refresh`, which makes hv/ovs again: somebody took it away.")


def test_a_status_that_is_empty_or_endless_is_one_sentence_too() -> None:
    assert "Flux says: nothing yet. " in explained(RELEASE, 20)
    assert len(explained({**RELEASE, **status(("Ready", "x" * 5000))}, 20)) < 1500


def test_a_source_is_named_by_its_address() -> None:
    source = {
        "kind": "HelmRepository",
        "metadata": {"name": "a", "namespace": "flux-system"},
        "spec": {"url": "https://a"},
    }
    assert explained(source, 15).startswith("Source https://a is not ready: it was waited for up to 15 min.")


def test_where_an_object_of_flux_is_found() -> None:
    path = flux_path("helm.toolkit.fluxcd.io/v2", "HelmRelease", "st-pool-a", "rook-ceph")
    assert path == "/apis/helm.toolkit.fluxcd.io/v2/namespaces/st-pool-a/helmreleases/rook-ceph"
