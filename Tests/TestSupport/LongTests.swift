import Glibc

/// Whether tests that take over a minute run, too.
///
/// They do with `Tests/run --long`, and are left out elsewhere, so that the rest stays short.
public let runsLongTests = getenv("MAGNUM_LONG") != nil
