import Platform
import Testing

@testable import Correspondence

struct MountTableTests {
  private static let table = """
    22 28 0:20 / /proc rw,nosuid shared:5 - proc proc rw
    28 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    30 28 0:25 / /run rw,nosuid shared:9 - tmpfs tmpfs rw,mode=755
    31 30 0:26 / /run/user/1000 rw shared:10 master:2 - tmpfs tmpfs rw
    32 30 0:27 / /run/my\\040disk rw - ext4 /dev/sdb1 rw
    33 28 0:28 / /dev/shm rw - tmpfs tmpfs rw
    34 33 8:2 / /dev/shm rw - ext4 /dev/sdc1 rw
    damaged line
    35 28 0:29 / /bad\\9 rw - tmpfs tmpfs rw

    """

  /// The innermost file system counts, and of several at one place the last.
  @Test(arguments: [
    ("/", "ext4"), ("/home/me", "ext4"), ("/run", "tmpfs"), ("/runner", "ext4"),
    ("/run/user/1000/magnum", "tmpfs"), ("/run/my disk/x", "ext4"), ("/dev/shm/x", "ext4"),
    ("/proc/1", "proc"), ("/bad9", "ext4"),
  ])
  func theInnermostFileSystemCounts(_ path: String, _ type: String) {
    #expect(MountTable(Array(Self.table.utf8)).type(of: Path(path)) == type)
  }

  @Test func withoutATableNothingIsKnown() {
    #expect(MountTable([]).type(of: Path("/run")) == nil)
  }
}
