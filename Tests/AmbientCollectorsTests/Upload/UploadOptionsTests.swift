// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AmbientCollectors

@Suite struct `Upload options` {
  @Test func `upload options have the documented defaults`() {
    let options = UploadOptions()
    #expect(options.events == 1_000 && options.bytes == 1_000_000)
    #expect(options.interval == .seconds(5) && options.backoff == .seconds(1))
    #expect(options.longestBackoff == .seconds(300))
    #expect(options.longestRetryAfter == .seconds(3_600))
    #expect(options.repeatsInDoubt == nil)
    #expect(options.exchange == ExchangeLimits(duration: .seconds(30), answerBytes: 65_536))
  }

  @Test func `UploadOptions clamps each value to its valid range`() {
    var options = UploadOptions()
    (options.events, options.bytes, options.repeatsInDoubt) = (0, 0, -1)
    (options.interval, options.longestRetryAfter) = (.seconds(-1), .seconds(-1))
    (options.backoff, options.longestBackoff) = (.zero, .zero)
    #expect(options.events == 1 && options.bytes == 1 && options.repeatsInDoubt == 0)
    #expect(options.interval == .zero && options.longestRetryAfter == .zero)
    #expect(options.backoff == .milliseconds(1) && options.longestBackoff == .milliseconds(1))
    let fitting = UploadOptions().with {
      $0.events = 1
      $0.bytes = 1
      $0.interval = .milliseconds(1)
      $0.backoff = .milliseconds(2)
      $0.longestBackoff = .milliseconds(3)
      $0.longestRetryAfter = .milliseconds(4)
      $0.repeatsInDoubt = 2
      $0.exchange = ExchangeLimits(duration: .seconds(7), answerBytes: 8)
    }
    #expect(fitting.events == 1 && fitting.bytes == 1 && fitting.repeatsInDoubt == 2)
    #expect(fitting.backoff == .milliseconds(2) && fitting.longestBackoff == .milliseconds(3))
    #expect(fitting.exchange == ExchangeLimits(duration: .seconds(7), answerBytes: 8))
    #expect(
      fitting.interval == .milliseconds(1) && fitting.longestRetryAfter == .milliseconds(4))
  }

  @Test func `longestBackoff is never shorter than backoff`() {
    var options = UploadOptions().with {
      $0.backoff = .seconds(1)
      $0.longestBackoff = .seconds(2)
    }
    options.backoff = .seconds(3)
    #expect(options.longestBackoff == .seconds(3))
    options.longestBackoff = .seconds(1)
    #expect(options.longestBackoff == .seconds(3))
    options.exchange.answerBytes = -1
    #expect(options.exchange.answerBytes == 0)
  }

  @Test(arguments: [
    (-1, 1), (0, 1), (1, 1), (2, 2), (3, 4), (9, 256), (10, 300), (11, 300), (1_000, 300),
  ])
  func `the backoff limit doubles with each failure up to longestBackoff`(
    failures: Int, seconds: Int
  ) {
    #expect(UploadOptions().backoffLimit(afterFailures: failures) == .seconds(seconds))
  }

  @Test func `the backoff limit doubles until it equals longestBackoff exactly`() {
    let options = UploadOptions().with {
      $0.backoff = .seconds(4)
      $0.longestBackoff = .seconds(8)
    }
    let waits = (1...4).map { options.backoffLimit(afterFailures: $0) }
    #expect(waits == [.seconds(4), .seconds(8), .seconds(8), .seconds(8)])
  }

  @Test func `the backoff limit grows to the longest Duration without an overflow`() {
    let longest = Duration(attoseconds: .max)
    let options = UploadOptions().with { $0.longestBackoff = longest }
    #expect(options.backoffLimit(afterFailures: 1_000) == longest)
  }

  @Test func `request limits are clamped to at least one event and one byte`() {
    var limits = RequestLimits(events: 0, bytes: -1)
    #expect(limits.events == 1 && limits.bytes == 1 && limits.separator == 1)
    (limits.events, limits.bytes) = (7, 8)
    #expect(limits.events == 7 && limits.bytes == 8)
    (limits.events, limits.bytes) = (-1, 0)
    #expect(limits.events == 1 && limits.bytes == 1)
    #expect(RequestLimits(events: 2, bytes: 3, separator: 0).separator == 0)
  }
}
