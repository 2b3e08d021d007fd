// SPDX-License-Identifier: Apache-2.0

import AmbientCollectors
import TestSupport
import Testing

@Suite struct `Queue options` {
  @Test(arguments: [0o440, 0o200, 640, 0o4600, 0] as [UInt16])
  func `an EventQueue refuses permissions with which the next start could not open the queue`(
    permissions: UInt16
  ) {
    let folder = TemporaryFolder()
    var options = EventQueue.Options()
    options.permissions = permissions
    let error = #expect(throws: CollectorError.self) {
      try EventQueue(folder: folder.path("queue"), options)
    }
    #expect(error?.code == .invalidSetting)
    #expect(error?.description.contains("0o\(String(permissions, radix: 8))") == true)
  }
}
