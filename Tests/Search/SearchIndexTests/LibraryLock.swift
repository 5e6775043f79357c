import CXapian
import TestSupport

/// Opens the database at a path for writing, as the index does it: a process that another test is just starting has a copy of the
/// library's lock until it becomes another program.
func openForWriting(_ path: String, _ error: inout magnum_index_error) -> OpaquePointer? {
  var database: OpaquePointer?
  _ = Stopwatch.wait(upTo: 10) {
    database = magnum_index_open(path, MAGNUM_INDEX_WRITE, &error)
    return database != nil
  }
  return database
}
