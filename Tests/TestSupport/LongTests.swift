import Glibc

/// Whether tests that take over a minute run too: `Tests/run --long`. Elsewhere they are left out, so that the rest stays short.
public let runsLongTests = getenv("MAGNUM_LONG") != nil
