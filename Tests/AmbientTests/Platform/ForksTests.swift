// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import CAmbient
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient

  @Suite struct `Forked processes` {
    @Test func `in a forked child, Forks.known is one higher and ambient_take_fork() is true once`()
      async
    {
      await #expect(processExitsWith: .success) {
        let count = Forks.count
        _ = ambient_take_fork()
        #expect(!ambient_is_forked() && !ambient_take_fork())
        let end = statusOfFork {
          guard Forks.known == count + 1, ambient_is_forked() else { return 1 }
          guard ambient_take_fork(), !ambient_take_fork(), !ambient_is_forked() else { return 2 }
          return statusOfFork { Forks.known == count + 2 && ambient_is_forked() ? 0 : 3 }
        }
        #expect(end == 0)
        #expect(Forks.known == count && !ambient_is_forked())
      }
    }

    @Test
    func `a forked child closes registered lock files and can't drain its parent's log buffer`()
      async
    {
      await #expect(processExitsWith: .success) {
        let folder = TemporaryFolder()
        _ = Forks.count
        func enlist(_ file: FileDescriptor) {
          guard let identity = file.identity else { return }
          ambient_lock_enlist(file.number, identity.device, identity.file)
        }
        let files = try (0..<4).map { try FileDescriptor.new(folder.path("\($0)")) }
        for file in files[..<3] { enlist(file) }
        ambient_lock_strike(files[0].number)
        // In the entry of the one that was struck off.
        enlist(files[3])
        ambient_lock_strike(files[2].number)
        let buffer = BufferFile(target: folder.path("shop.log"), folder: nil)
        let lines = try buffer.make(capacity: 65_536).lines
        let mapping = lines.ring.mapping
        let isOpen = { (file: FileDescriptor) in fcntl(file.number, F_GETFD) >= 0 }
        let end = statusOfFork {
          let known = files.map(isOpen)
          guard known == [true, false, true, false] else { return 1 }
          return mapping.pointee.ring == nil && !ambient_drain_claim(mapping) ? 0 : 2
        }
        #expect(end == 0)
        #expect(files.map(isOpen) == [true, true, true, true])
        #expect(lines.ring.mapping.pointee.ring != nil && lines.claim())
        lines.release()
      }
    }
  }
#endif
