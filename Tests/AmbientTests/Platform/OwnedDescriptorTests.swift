// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Ambient

/// Each in a process of its own, since other tests open files at the same time.
@Suite struct `Owned descriptors` {
  @Test func `an OwnedDescriptor gets a number of at least 512 and is closed on deallocation`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      var number: CInt = -1
      do {
        let owner = OwnedDescriptor(try .new(folder.path("file")))
        number = owner.unchecked.number
        #expect(number >= 512 && fcntl(number, F_GETFD) == FD_CLOEXEC)
        #expect(owner.condition == .own && owner.checked == owner.unchecked)
      }
      #expect(fcntl(number, F_GETFD) == -1)
    }
  }

  @Test func `if the open-files limit is 64, an OwnedDescriptor gets a number from 32 to 63`() async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try #require(ResourceLimit.openFiles.set(64))
      let owner = OwnedDescriptor(try .new(folder.path("file")))
      #expect((32..<64).contains(owner.unchecked.number))
    }
  }

  @Test func `a descriptor number reused by other code isn't used or closed by OwnedDescriptor`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      try folder.write("mine", to: "other")
      var owner: OwnedDescriptor? = OwnedDescriptor(try .new(folder.path("file")))
      let number = try #require(owner).unchecked.number
      close(number)
      let other = open(folder.path("other"), O_RDWR)
      try #require(dup2(other, number) == number)
      #expect(owner?.condition == .another && owner?.checked == nil)
      owner = nil
      #expect(fcntl(number, F_GETFD) >= 0)
    }
  }

  @Test func `a file that Ambient opens never gets the number of a closed standard stream`() async {
    await #expect(processExitsWith: .success) {
      let folder = TemporaryFolder()
      for number: CInt in 0...2 { close(number) }
      let brief = try FileDescriptor.new(folder.path("file"))
      let owner = OwnedDescriptor(try .appending(to: folder.path("log")))
      guard brief.number > 2, owner.unchecked.number > 2 else { exit(1) }
      for number: CInt in 0...2 where fcntl(number, F_GETFD) != -1 { exit(2) }
    }
  }
}
