// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `System errors` {
  @Test
  func `SystemError isFull, isMissing, isLostPage, isOfNoFile match only fixed errno numbers`() {
    func numbers(_ isOfKind: (SystemError) -> Bool) -> Set<CInt> {
      Set((0...200).filter { isOfKind(SystemError(number: $0)) })
    }
    #expect(numbers(\.isFull) == [EAGAIN])
    #expect(numbers(\.isMissing) == [ENOENT, ENOTDIR])
    #expect(numbers(\.isLostPage) == [EFAULT])
    #expect(numbers(\.isOfNoFile) == [ELOOP, EISDIR, ENXIO])
  }

  @Test func `a SystemError's description is the system's message`() {
    #expect(SystemError(number: ENOENT).description == "No such file or directory")
    #expect(SystemError.inTheWay.description == "File exists")
    let named: [SystemError] = [.unopened, .busy, .full, .unsupported, .notAFolder, .inUse]
    #expect(named.map(\.number) == [ENOENT, EBUSY, EAGAIN, EOPNOTSUPP, ENOTDIR, EWOULDBLOCK])
  }

  @Test(arguments: [ENOENT, ENOTDIR, EACCES, 0])
  func `nilIfMissing() returns nil for a missing path and rethrows any other error`(number: CInt)
    throws
  {
    func body() throws(SystemError) -> Int {
      if number == 0 { return 7 }
      throw SystemError(number: number)
    }
    switch number {
    case 0: #expect(try nilIfMissing(body()) == 7)
    case EACCES: #expect(throws: SystemError(number: EACCES)) { try nilIfMissing(body()) }
    default: #expect(try nilIfMissing(body()) == nil)
    }
  }
}
