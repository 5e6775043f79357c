import Glibc

/// What libFuzzer calls: gives an input to the target that is named in the environment.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  chosen.read(Array(UnsafeBufferPointer(start: data, count: count)))
  return 0
}

private let chosen: FuzzTarget = {
  guard let name = getenv("MAGNUM_FUZZ_TARGET").map({ String(cString: $0) }),
    let target = FuzzTarget(rawValue: name)
  else { fatalError("MAGNUM_FUZZ_TARGET names no target") }
  return target
}()
