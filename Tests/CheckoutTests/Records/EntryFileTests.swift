// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Checkout

@Suite struct `Entry files` {
  private let folder = TemporaryFolder()

  @Test func `an entry that JSON cannot represent isn't written, and other entries are kept`()
    throws
  {
    func open() throws -> (file: EntryFile<Double>, entries: [Double], damaged: [[UInt8]]) {
      try EntryFile<Double>.open(folder.path, "entries")
    }
    do {
      let file = try open().file
      try file.append(1, isSynced: false)
      let appended = #expect(throws: ShopStoreError.self) { try file.append(.nan, isSynced: true) }
      let replaced = #expect(throws: ShopStoreError.self) { try file.replace(by: [2, .infinity]) }
      for error in [appended, replaced] {
        guard case .notWritten(folder.path("entries"), _)? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
      }
    }
    let (_, entries, damaged) = try open()
    #expect(entries == [1] && damaged.isEmpty)
  }
}
