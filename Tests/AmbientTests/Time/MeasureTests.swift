// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientVirtualTime
import TestSupport
import Testing

struct `Measuring time` {
  @Test func `Time.measure returns the elapsed uptime and rethrows typed errors`() async throws {
    let hand = HandTime()
    await Time.withInstance(hand) {
      #expect(Time.measure { hand.pass(.seconds(3)) } == .seconds(3))
      hand.setWall(by: .seconds(60))
      #expect(Time.measure {} == .zero)
      func fail() throws(Trouble) { throw .here }
      func failLater() async throws(Trouble) { throw .here }
      do throws(Trouble) { _ = try Time.measure(fail) } catch { #expect(error == .here) }
      do throws(Trouble) { _ = try await Time.measure(failLater) } catch { #expect(error == .here) }
    }
  }

  @Test func `in virtual time, Time.measure returns a sleep's length, and in frozen time zero`()
    async throws
  {
    try await Time.virtual(from: start) { _ in
      let elapsed = try await Time.measure { try await Time.sleep(for: .seconds(7)) }
      #expect(elapsed == .seconds(7))
    }
    let elapsed = try Time.freeze(at: start) { Time.measure { _ = Time.now } }
    #expect(elapsed == .zero)
  }

  @Test func `if Time.instance is replaced during Time.measure, the first instance is still used`()
  {
    let hand = HandTime()
    Time.withInstance(hand) {
      let elapsed = Time.measure {
        Time.instance = DefaultTime()
        hand.pass(.seconds(5))
      }
      #expect(elapsed == .seconds(5))
    }
  }
}
