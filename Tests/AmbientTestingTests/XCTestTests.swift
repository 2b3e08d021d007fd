// SPDX-License-Identifier: Apache-2.0

#if canImport(XCTest)
  import Ambient
  import AmbientVirtualTime
  import XCTest

  /// What a test does under XCTest, whose `setUp` cannot open a scope.
  final class FrozenCase: XCTestCase {
    override func invokeTest() {
      AmbientScope.isolated {
        Time.instance = FixedTime(at: Date(timeIntervalSinceReferenceDate: 817_448_400))
        super.invokeTest()
      }
    }

    func testTimeStandsStill() {
      XCTAssertEqual(Time.now, Date(timeIntervalSinceReferenceDate: 817_448_400))
      Log.instance = NoLog()
      XCTAssertTrue(Log.instance is NoLog)
    }

    func testTheNextTestHasContextsOfItsOwn() async {
      XCTAssertEqual(Time.now, Date(timeIntervalSinceReferenceDate: 817_448_400))
      XCTAssertFalse(Log.instance is NoLog)
    }

    func testVirtualTime() async throws {
      try await Time.virtual(from: "2026-11-27T00:00:00Z") { time in
        try await Time.sleep(for: .seconds(900))
        XCTAssertEqual(time.uptime, .seconds(900))
      }
    }
  }
#endif
