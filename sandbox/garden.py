from sandbox.sandbox import Sandbox


def start_server(sandbox: Sandbox) -> None:
    sandbox.garden.start()


def start_gardener(sandbox: Sandbox) -> None: ...


def make_landscape(sandbox: Sandbox) -> None: ...
