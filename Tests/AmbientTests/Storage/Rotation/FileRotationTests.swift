// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Ambient

@Suite struct `FileRotation values` {
  @Test func `FileRotation.daily(), hourly() and size() set the matching options`() {
    #expect(
      FileRotation.daily(keep: 14) == FileRotation(size: nil, every: .day, keep: 14, names: .dated))
    #expect(
      FileRotation.hourly(keep: 48)
        == FileRotation(size: nil, every: .hour, keep: 48, names: .dated))
    #expect(FileRotation.size(100, keep: 10) == FileRotation(size: 100, keep: 10))
    #expect(FileRotation.daily().zone == .local && !FileRotation.daily().isCompressed)
  }

  @Test(arguments: [
    (FileRotation(), "period"), (.size(0), "0 bytes"), (.size(-1), "-1 bytes"),
    (.daily(keep: -1), "keep (-1)"), (FileRotation(size: 1, keepSize: -5), "keepSize (-5)"),
    (FileRotation(size: 1, keepAge: .seconds(-1)), "keepAge (-1.0 seconds)"),
  ])
  func `opening a log with an invalid rotation throws a FileOpenError`(
    rotation: FileRotation, value: String
  ) throws {
    let error = #expect(throws: FileOpenError.self) {
      try FileLog(path: "shop.log", rotation: rotation)
    }
    #expect(error?.path == "shop.log" && error?.reason.contains(value) == true)
  }

  @Test(arguments: [
    FileRotation.size(1, keep: 0), .size(.max, keep: .max), .daily(),
    FileRotation(size: 1, every: .hour, keepAge: .zero, keepSize: 0),
    FileRotation(size: 1, keepAge: .seconds(Int64.max)),
  ])
  func `a FileRotation with the smallest or largest allowed values is valid`(rotation: FileRotation)
    throws
  {
    #expect(rotation.fault == nil)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e11, 0])
  func `a rotation period exists for every date, even for NaN and infinity`(seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    for unit in FileRotation.Period.allCases {
      #expect(RotationCalendar(unit, .utc).period(at: date).unit == unit)
    }
    #expect(RotationCalendar(.day, .local).period(at: date).name.count == 10)
  }
}
