"""Certificate authorities and what they issue; keys live as long as the sandbox."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

LIFETIME = timedelta(days=365)
LEEWAY = timedelta(minutes=5)  # between clocks
BITS = 2048


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A certificate and its key, as PEM."""

    certificate: bytes
    key: bytes

    def write(self, folder: Path, name: str) -> "Files":
        folder.mkdir(parents=True, exist_ok=True)
        files = Files(certificate=folder / f"{name}.crt", key=folder / f"{name}.key")
        files.certificate.write_bytes(self.certificate)
        write_secret(files.key, self.key)
        return files


@dataclass(frozen=True, kw_only=True)
class Files:
    certificate: Path
    key: Path


@dataclass(frozen=True, kw_only=True)
class Authority:
    pair: Pair
    _name: x509.Name
    _key: rsa.RSAPrivateKey

    @classmethod
    def new(cls, name: str) -> "Authority":
        key, subject = _new_key(), _subject(name, ())
        usage = x509.KeyUsage(
            digital_signature=True,
            key_cert_sign=True,
            crl_sign=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            encipher_only=False,
            decipher_only=False,
        )
        builder = _builder(subject, key.public_key(), LIFETIME).issuer_name(subject)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        builder = builder.add_extension(usage, critical=True)
        certificate = builder.sign(key, hashes.SHA256())
        return cls(pair=Pair(certificate=_pem(certificate), key=_key_pem(key)), _name=subject, _key=key)

    @classmethod
    def load(cls, pair: Pair) -> "Authority":
        """One that was made before."""
        key = serialization.load_pem_private_key(pair.key, None)
        if not isinstance(key, rsa.RSAPrivateKey):
            raise TypeError("the key of this authority is not one of ours")
        return cls(pair=pair, _name=x509.load_pem_x509_certificate(pair.certificate).subject, _key=key)

    def server(self, name: str, hosts: Sequence[str]) -> Pair:
        """A certificate for a server that is reached under these names and addresses."""
        return self._issue(_subject(name, ()), ExtendedKeyUsageOID.SERVER_AUTH, hosts, LIFETIME)

    def client(self, name: str, groups: Sequence[str] = (), lifetime: timedelta = LIFETIME) -> Pair:
        """A certificate for a user, with the groups that it is in."""
        return self._issue(_subject(name, groups), ExtendedKeyUsageOID.CLIENT_AUTH, (), lifetime)

    def _issue(
        self, subject: x509.Name, purpose: x509.ObjectIdentifier, hosts: Sequence[str], lifetime: timedelta
    ) -> Pair:
        key = _new_key()
        builder = _builder(subject, key.public_key(), lifetime).issuer_name(self._name)
        builder = builder.add_extension(x509.ExtendedKeyUsage([purpose]), critical=False)
        if hosts:
            builder = builder.add_extension(
                x509.SubjectAlternativeName([_host(host) for host in hosts]), critical=False
            )
        return Pair(certificate=_pem(builder.sign(self._key, hashes.SHA256())), key=_key_pem(key))


def signing_key() -> bytes:
    """A private key for tokens."""
    return _key_pem(_new_key())


def not_after(certificate: bytes) -> datetime:
    return x509.load_pem_x509_certificate(certificate).not_valid_after_utc


def write_secret(file: Path, content: bytes) -> None:
    """Nobody else on the machine reads it, at no moment."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_bytes(content)


def _new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=BITS)


def _key_pem(key: rsa.RSAPrivateKey) -> bytes:
    """PKCS#1, the only form in which Gardener takes a certificate authority's key."""
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, plain)


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)


def _subject(name: str, groups: Sequence[str]) -> x509.Name:
    organizations = [x509.NameAttribute(NameOID.ORGANIZATION_NAME, group) for group in groups]
    return x509.Name([*organizations, x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _builder(subject: x509.Name, key: rsa.RSAPublicKey, lifetime: timedelta) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - LEEWAY)
        .not_valid_after(now + lifetime)
    )
