// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @testable import Ambient
  @testable import AmbientCollectors

  /// A program that gives all numbers of the package's files to a file of its own.
  @Suite struct `Journal descriptors replaced by dup2` {
    @Test(arguments: [false, true])
    func `if dup2() replaces a journal's descriptors, new records still reach the journal`(
      _ losesPages: Bool
    ) async throws {
      let queue = Queue()
      try queue.folder.write("mine", to: "database")
      await #expect(processExitsWith: .success) {
        [
          folder = queue.folder.path as String, losesPages = losesPages as Bool
        ] in
        Diagnostics.instance = Reports()
        var options = Journal.Options()
        options.capacity = 65_536
        let journal = try Journal(folder: "\(folder)/queue", options)
        for number in 0..<10 { journal.append("\(number)") }
        let own = open("\(folder)/database", O_RDWR)
        for number: CInt in 512..<600 { dup2(own, number) }
        if losesPages { try #require(truncate("\(folder)/queue/queue", 0) == 0) }
        for number in 10..<20 { journal.append("\(number)") }
        journal.synchronize()
        #expect(journal.texts().suffix(10) == (10..<20).map { "\($0)" })
        journal.close()
        #expect((512..<600).allSatisfy { fcntl(CInt($0), F_GETFD) >= 0 })
      }
      #expect(try queue.folder.text("database") == "mine")
      let texts = try Diagnostics.withInstance(Reports()) { try queue.open().texts() }
      // Records on pages that were lost before they were read may be missing.
      #expect(texts.suffix(10) == (10..<20).map { "\($0)" })
      #expect(losesPages || texts.count == 20)
    }
  }
#endif
