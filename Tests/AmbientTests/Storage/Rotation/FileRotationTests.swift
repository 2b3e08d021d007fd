// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `FileRotation values` {
  @Test func `daily, hourly and size create the matching FileRotation`() {
    #expect(
      FileRotation.daily(keep: 14) == FileRotation(size: nil, every: .day, keep: 14, names: .dated))
    #expect(
      FileRotation.hourly(keep: 48)
        == FileRotation(size: nil, every: .hour, keep: 48, names: .dated))
    #expect(FileRotation.size(100, keep: 10) == FileRotation(size: 100, keep: 10))
    #expect(FileRotation.daily().zone == .local && !FileRotation.daily().isCompressed)
  }

  @Test(arguments: [
    (FileRotation(), "its rotation has neither a size nor a period; say when the file is rotated"),
    (.size(0), "its rotation has a size of 0 bytes; give at least 1, or nil for no limit"),
    (.size(-1), "its rotation has a size of -1 bytes; give at least 1, or nil for no limit"),
    (.daily(keep: -1), "its rotation has a negative keep, -1; give 0 or more, or nil for no limit"),
    (
      FileRotation(size: 1, keepSize: -5),
      "its rotation has a negative keepSize, -5; give 0 or more, or nil for no limit"
    ),
    (
      FileRotation(size: 1, keepAge: .seconds(-1)),
      "its rotation has a negative keepAge, -1.0 seconds; give 0 or more, or nil for no limit"
    ),
  ])
  func `opening a log with an invalid rotation throws a FileOpenError`(
    rotation: FileRotation, text: String
  ) throws {
    let error = #expect(throws: FileOpenError.self) {
      try FileLog(path: "shop.log", rotation: rotation)
    }
    #expect(error?.description == "cannot open “shop.log”: \(text)")
  }

  @Test(arguments: [
    FileRotation.size(1, keep: 0), .size(.max, keep: .max), .daily(),
    FileRotation(size: 1, every: .hour, keepAge: .zero, keepSize: 0),
    FileRotation(size: 1, keepAge: .seconds(Int64.max)),
  ])
  func `a FileRotation with extreme values is valid`(rotation: FileRotation) throws {
    #expect(rotation.fault == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e11, 0])
  func `every date has a rotation period, even NaN and infinity`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    for unit in FileRotation.Period.allCases {
      #expect(RotationCalendar(unit, .utc).period(at: date).unit == unit)
    }
    #expect(RotationCalendar(.day, .local).period(at: date).name.count == 10)
  }
}
