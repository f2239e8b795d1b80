"""Whether a cluster's API answers at all, which needs no credential."""

import contextlib
import http.client
import ssl
from urllib.parse import urlsplit

HTTPS = 443
SECONDS = 5.0


def answers(server: str, seconds: float = SECONDS) -> bool:
    """Any answer counts, a refusal too; who answers is not asked, since nothing is told and nothing believed."""
    where = urlsplit(server)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection(
        where.hostname or "", where.port or HTTPS, context=context, timeout=seconds
    )
    with contextlib.closing(connection):
        try:
            connection.request("GET", "/livez")
            connection.getresponse()
        except (OSError, http.client.HTTPException):
            return False
    return True
