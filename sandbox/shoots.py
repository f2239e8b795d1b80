from sandbox.sandbox import Sandbox


def start(sandbox: Sandbox) -> None: ...
