// SPDX-License-Identifier: Apache-2.0

import Ambient
import Testing

@Suite struct `Source places` {
  @Test(arguments: [
    ("Shop/Till.swift", 12, "Shop/Till.swift:12", "Shop"), ("Till", 1, "Till:1", "Till"),
    ("Shop/Till.swift", 0, "Shop/Till.swift", "Shop"), ("", 0, "", ""), ("/a/b", 2, "/a/b:2", ""),
  ])
  func `the description of a SourcePlace has its file, and its line if the line is known`(
    fileID: String, line: UInt, text: String, module: String
  ) {
    let place = SourcePlace(fileID: fileID, line: line)
    #expect(place.description == text && place.module == module && place.function == "")
  }
}
