import Glibc
import Platform
import SearchIndex
import TestSupport
import Testing

/// Processes that are just being started hold copies of the library's lock for a moment: writers wait for it.
@Test func theLibrarysLockIsWaitedFor() throws {
  let mailbox = try Mailbox()
  try mailbox.write("INBOX/cur/1:2,", Array("Message-ID: <1@x>\n\none".utf8))
  try mailbox.index.build()
  let descriptor = open("\(mailbox.root)/.magnum/index/gen-1/flintlock", O_RDWR | O_CLOEXEC)
  var range = flock()
  range.l_type = Int16(F_WRLCK)
  // F_OFD_SETLK, as the library does it.
  try #require(fcntl(descriptor, 37, &range) == 0)
  let holder = try Thread.spawn(name: "holder", stackSize: 1 << 20) {
    usleep(300_000)
    close(descriptor)
  }
  defer { holder.join() }
  try mailbox.write("INBOX/cur/2:2,", Array("Message-ID: <2@x>\n\ntwo".utf8))
  #expect(try mailbox.index.scan().added == 1)
}
