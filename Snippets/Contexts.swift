// SPDX-License-Identifier: Apache-2.0

// Scopes, custom contexts and custom services.

import Ambient
import AmbientTesting
import Dispatch
import Foundation
import Testing

// snippet.scope
Log.withInstance(NoLog()) {
  Log.info("nobody reads this")
}
// snippet.end

// snippet.capture
let scope = AmbientScope.capture()
DispatchQueue.global().async {
  scope.run { Log.info("the caller's log, at the caller's time") }
}
// snippet.end

// snippet.worker
actor Sessions {
  private let scope = AmbientScope.capture()
  private var ends: [String: Date] = [:]
  private var cleaner: Task<Void, any Error>?

  func open(_ id: String) {
    ends[id] = Time.now + 3600
    guard cleaner == nil else { return }
    cleaner = scope.run {
      Time.backgroundTask {
        while true {
          try await Time.sleep(for: .seconds(60))
          self.clean()
        }
      }
    }
  }

  private func clean() {
    ends = ends.filter { $0.value > Time.now }
    Log.info("cleaned", ["open": ends.count])
  }
}
// snippet.end

// snippet.calling
Analytics.instance = .calling { event in
  print(event.id, event.date, event.event.name)
}
// snippet.end

// snippet.subclass
final class ShoutingLog: Log, @unchecked Sendable {
  override func write(_ record: LogRecord) { print("\(record.message)!") }
}
// snippet.end

// snippet.analytics-subclass
final class PrintingAnalytics: Analytics, @unchecked Sendable {
  override func record(_ event: TrackedEvent) { print(event.json) }
}
// snippet.end

// snippet.own
protocol FlagSource: Sendable {
  func isOn(_ name: String) -> Bool
}

struct NoFlags: FlagSource {
  func isOn(_ name: String) -> Bool { false }
}

enum Flags {
  private static let context = AmbientContext<any FlagSource>("Flags") { NoFlags() }

  static var instance: any FlagSource {
    get { context.instance }
    set { context.instance = newValue }
  }

  static func isOn(_ name: String) -> Bool { context.withService { $0.isOn(name) } }

  static func withInstance<R, E: Error>(
    _ source: any FlagSource, _ body: () throws(E) -> R
  ) throws(E) -> R {
    try context.withInstance(source, body)
  }

  nonisolated(nonsending) static func withInstance<R, E: Error>(
    _ source: any FlagSource, _ body: nonisolated(nonsending) () async throws(E) -> R
  ) async throws(E) -> R {
    try await context.withInstance(source, body)
  }
}
// snippet.end

// snippet.own-trait
struct AllFlags: FlagSource {
  func isOn(_ name: String) -> Bool { true }
}

extension Trait where Self == AmbientTrait {
  static var allFlags: Self { .assigning { Flags.instance = AllFlags() } }
}
// snippet.end

// snippet.own-trait-use
@Test(.allFlags) func `a test with all flags`() { #expect(Flags.isOn("new checkout")) }
// snippet.end

// snippet.cart
final class Cart {
  var lines = 0
  nonisolated(nonsending) func add() async { lines += 1 }
}

func fill(_ cart: Cart) async {
  await Log.withMetadata(["cart": 1]) { await cart.add() }
}
// snippet.end

// snippet.mixin
struct Till: RequiresLog, RequiresTime {
  func open() { log.notice("open", ["since": time.now]) }
}
// snippet.end

// snippet.given
struct QuietTill: RequiresLog {
  let log: Log
}
// snippet.end

// snippet.shutdown
await AmbientScope.shutdown(within: .seconds(5))
// snippet.end
