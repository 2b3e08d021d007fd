// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Ambient

@Suite struct `File open errors` {
  @Test(arguments: [
    ("", nil, "cannot open “”: no file; name a file"),
    (
      "a.log", nil,
      "cannot open “a.log”: no file; choose a file in a folder that this user may write to"
    ),
    ("a.log", "wait", "cannot open “a.log”: no file; wait"),
    ("", "wait", "cannot open “”: no file; wait"),
  ])
  func `a FileOpenError describes its path, reason and advice`(
    path: String, advice: String?, text: String
  ) {
    #expect(FileOpenError(path: path, reason: "no file", advice: advice).description == text)
  }
}
