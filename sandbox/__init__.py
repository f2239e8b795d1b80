"""A region on the loopback, made of real API servers. Only `python -m sandbox` and the tests import this package.

For whoever adds a part to the sandbox:

- `phases.PHASES` lists the steps of the start. A step is a function that takes the `Sandbox`; it returns when its part
  is ready, raises `tools.problem.Problem` with a sentence when it cannot, and may call `sandbox.detail("3 of 7")`.
- `sandbox.start(NAME, PROGRAM, {"flag": "value"}, env={...}, ready=function)` starts a program of tools/programs.toml.
  Its output goes to logs/NAME.log, it works in `sandbox.folder`, and it ends with the sandbox however that ends. The
  returned `Process` has `pid`, `running`, `stop()`, `kill()`, `signal(number)`, `log`.
- `sandbox.port()` reserves a free port (`number`). The socket stays bound, so a program must permit port sharing
  (SO_REUSEPORT), or the caller calls `release()` just before the program starts.
- `sandbox.garden`, `sandbox.management` and `sandbox.clusters()` (by Shoot name) are `ApiServer`s: `url`, `kubeconfig`
  (a file with all rights), `trust.cluster.pair.certificate` (the CA), `trust.client.client(USER, [GROUP])` (issues a
  user's certificate), `stop()` and `start()` (same address and data), and `client`:
  `client.create/apply(manifest)`, `client.get/list/watch(API_VERSION, KIND, ...)`, `client.patch(manifest, change)`,
  `client.patch_status(manifest, status)`, `client.delete(manifest)`, `client.request(METHOD, PATH, ...)`. A refusal is
  the exception `client.Refused` with `status` and `message`. `watch` never ends by itself: run it in a daemon thread.
- `sandbox.on_cluster(function)` is called with the `ApiServer` of every Shoot once it is ready and before the Shoot
  reports success; the function starts what it needs and returns. `cluster.client.closed` is set when the cluster goes.
- `sandbox.reach(NAME, URL)` tells those who look where something is reached that is no cluster. What is in
  `sandbox.status` is replaced, never changed: several threads look at it.
- `pki.Authority.new(NAME)` makes a certificate authority: `.server(NAME, [HOST])`, `.client(NAME, [GROUP])`.
- Threads are daemons. A thread that starts programs needs no care: one lasting thread forks for all.
"""
