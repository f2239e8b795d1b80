"""What the three kinds of clusters have in common as components: what is told about them, and what runs in them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pulumi

from components.cluster import ClusterOutputs, MadeCluster
from components.cluster_access import ClusterAccess
from components.flux import Flux
from components.flux_target import open_target
from components.greenhouse import register
from components.release import deliver
from components.secret_store import secret_store
from components.versions import versions

if TYPE_CHECKING:
    from components.garden import GardenAccess
    from model.catalog import ClusterKind


class RegionCluster(pulumi.ComponentResource):
    """Who makes one calls `_fill` once its Shoot is declared, and `_tell` at the end."""

    cluster_name: str
    shoot_name: str
    api_address: pulumi.Output[str]
    kubernetes_version: pulumi.Output[str]
    phase: pulumi.Output[str]
    versions: dict[str, pulumi.Output[str]]

    _made: MadeCluster
    _releases: Mapping[str, pulumi.Resource]
    _store: pulumi.Resource | None

    def _fill(
        self, name: str, kind: "ClusterKind", made: MadeCluster, flux: Flux | None, garden: "GardenAccess"
    ) -> None:
        """The systems of the catalogue, and the way to the secrets; nothing without a Flux."""
        self._made = made
        self._releases, self._store = {}, None
        if flux is None:
            return
        target = open_target(name, kind, made.access, flux=flux, project=garden.settings.namespace, parent=self)
        self._releases = deliver(name, target, flux, self)
        self._store = secret_store(name, kind, made.access, flux, self._releases, parent=self)
        register(name, made.access, flux, target.home, parent=self)

    def _tell(self, **more: object) -> None:
        outputs = self._made.outputs
        self.cluster_name = self._made.access.cluster
        self.shoot_name = outputs.shoot_name
        self.api_address = outputs.api_address
        self.kubernetes_version = outputs.kubernetes_version
        self.phase = outputs.phase
        self.versions = versions(self._releases)
        self.register_outputs(
            {
                "cluster_name": self.cluster_name,
                "shoot_name": self.shoot_name,
                "api_address": self.api_address,
                "kubernetes_version": self.kubernetes_version,
                "phase": self.phase,
                "versions": self.versions,
                **more,
            }
        )

    @property
    def access(self) -> ClusterAccess:
        """The way into the cluster, for whatever is to run in it."""
        return self._made.access

    @property
    def outputs(self) -> ClusterOutputs:
        """What is told about the cluster."""
        return self._made.outputs

    @property
    def releases(self) -> Mapping[str, pulumi.Resource]:
        """The systems that run in the cluster, each ready once its resource is there."""
        return self._releases

    @property
    def store(self) -> pulumi.Resource | None:
        """The ClusterSecretStore by which the cluster reads and writes OpenBao's secrets, where it has one."""
        return self._store
