"""The kubeconfig of a Shoot's cluster is stable and holds no credential; a Shoot's trouble is one sentence."""

import shlex
from typing import Any

import yaml

from access.kubeconfig import ShootRef, address, text
from access.shoot_status import explained, kept

REF = ShootRef(garden="~/.garden/eu.yaml", namespace="garden-c5c3", name="eu-de-1-cp")


def user(ref: ShootRef) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text(ref, "https://api", "pem"))["users"][0]["user"]
    return found


def test_it_holds_a_command_and_nothing_else() -> None:
    assert user(REF).keys() == {"exec"}, "no token, no certificate, no password"
    plugin = user(REF)["exec"]
    assert plugin["command"] == "cobaltcore-access", "by its name, so that the text is the same on every machine"
    names = ["--garden", "~/.garden/eu.yaml", "--namespace", "garden-c5c3", "--shoot", "eu-de-1-cp"]
    assert plugin["args"] == ["credential", *names]
    assert (plugin["interactiveMode"], plugin["apiVersion"]) == ("Never", "client.authentication.k8s.io/v1")


def test_it_is_the_same_text_each_time() -> None:
    assert text(REF, "https://api", "pem") == text(REF, "https://api", "pem")


def test_gardenlogin_takes_its_place_when_asked_to() -> None:
    ref = ShootRef(garden="g", namespace="garden-c5c3", name="eu", plugin="gardenlogin", identity="landscape")
    plugin = user(ref)["exec"]
    assert plugin["command"] == "gardenlogin"
    names = ["--name", "eu", "--namespace", "garden-c5c3", "--garden-cluster-identity", "landscape"]
    assert plugin["args"] == ["get-client-certificate", *names]


def test_a_person_is_told_a_command_that_a_shell_takes() -> None:
    words = shlex.split(ShootRef(garden="a folder/g.yaml", namespace="n", name="s").command)
    assert words == ["cobaltcore-access", "kubeconfig", *REF.arguments[:1], "a folder/g.yaml", *words[4:]]


def test_the_external_address_is_the_one_to_use() -> None:
    assert address({"internal": "https://i", "external": "https://e", "service-account-issuer": "https://s"}) == (
        "https://e"
    )
    assert address({"internal": "https://i"}) == "https://i"
    assert address({"service-account-issuer": "https://s"}) is None, "it serves tokens, not the API"


def test_a_shoot_that_is_not_ready_is_one_sentence_with_all_that_gardener_says() -> None:
    status = {
        "lastOperation": {"type": "Create", "state": "Error", "progress": 60, "description": "no servers."},
        "lastErrors": [
            {"description": "no servers.", "codes": ["ERR_A"]},
            {"description": "no\n  route", "codes": ["ERR_B"]},
        ],
        "conditions": [
            {"type": "APIServerAvailable", "status": "True"},
            {"type": "EveryNodeReady", "status": "False", "message": "1 of 5 is missing."},
        ],
    }
    metadata = {
        "name": "eu-de-1-cp",
        "namespace": "garden-c5c3",
        "labels": {"c5c3.io/cluster": "eu-de-1-control-plane"},
    }
    assert explained({"metadata": metadata, "status": status}, 60) == (
        "Cluster eu-de-1-control-plane (Shoot eu-de-1-cp) is not ready: it was waited for up to 60 min until Gardener "
        "succeeds and its API and nodes are well. Gardener says: Create is Error at 60 %, no servers; error ERR_B: no "
        "route; EveryNodeReady is False, 1 of 5 is missing. Gardener goes on trying: mend what it names "
        "(`kubectl -n garden-c5c3 describe shoot eu-de-1-cp` in the garden shows all of it), then run the update again."
    )


def test_what_gardener_says_of_an_earlier_change_does_not_count_for_this_one() -> None:
    metadata = {"name": "s", "namespace": "n", "generation": 3}
    last = {"type": "Reconcile", "state": "Succeeded", "progress": 100, "description": "All is well."}
    before = {"metadata": metadata, "status": {"observedGeneration": 2, "lastOperation": last}}
    said = "nothing of this change yet, and of what was before: Reconcile is Succeeded at 100 %, All is well."
    assert f"Gardener says: {said} Gardener goes on" in explained(before, 1)
    assert f"Gardener says: {said} Gardener goes on" in kept(before, 1)
    assert "of this change" not in explained({**before, "metadata": {**metadata, "generation": 2}}, 1)


def test_a_shoot_of_which_gardener_says_nothing() -> None:
    assert "Gardener says: nothing yet." in explained({"metadata": {"name": "s", "namespace": "n"}}, 1)
