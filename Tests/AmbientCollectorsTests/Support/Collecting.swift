// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport

extension HTTPAnalytics {
  /// A collector that posts to the server.
  convenience init(
    _ server: LoopbackServer, _ folder: TemporaryFolder, path: String = "",
    headers: [String: String] = [:], query: [String: String] = [:],
    upload: UploadOptions = .prompt
  ) throws {
    try self.init(
      url: server.url + path, queue: EventQueue(folder: folder.path("queue"), .small),
      options: HTTPOptions().with {
        $0.headers = headers
        $0.query = query
      }, upload: upload)
  }

  /// A collector whose requests a script answers.
  convenience init(
    _ transport: ScriptedTransport, _ folder: TemporaryFolder,
    _ room: EventQueue.Options = .small,
    limits: RequestLimits = RequestLimits(events: 10_000, bytes: 4_000_000),
    upload: UploadOptions = .unhurried
  ) throws {
    try self.init(
      url: "http://events.example/", queue: EventQueue(folder: folder.path("queue"), room),
      options: HTTPOptions().with { $0.limits = limits }, upload: upload, transport: transport)
  }
}

extension EventQueue.Options {
  /// A sixteenth of the usual: a file of zeros is written with each queue.
  static var small: Self {
    var options = Self()
    options.capacity = 1 << 20
    return options
  }
}

extension UploadOptions {
  /// Options with short waits.
  static var prompt: UploadOptions {
    UploadOptions().with {
      $0.interval = .milliseconds(5)
      $0.backoff = .milliseconds(5)
      $0.longestBackoff = .milliseconds(20)
      $0.longestRetryAfter = .milliseconds(20)
      $0.exchange = patient
    }
  }

  /// An exchange of a test that is not about its limit: a thousand tests at once may starve it.
  static var patient: ExchangeLimits { ExchangeLimits(duration: Patience.long) }

  /// The options of a collector that was told none, but for the limit of an exchange.
  static var unhurried: UploadOptions { UploadOptions().with { $0.exchange = patient } }

  /// The same as ``prompt``, but nothing is sent before a flush or the end: all that was tracked is one request,
  /// however slowly it was.
  static var atFlush: UploadOptions {
    var options = prompt
    options.interval = .seconds(1_000_000)
    return options
  }
}

extension QueuedAnalytics {
  /// A collector for a destination, whose requests a script answers.
  convenience init(
    _ destination: any EventDestination, _ transport: ScriptedTransport, _ folder: TemporaryFolder,
    upload: UploadOptions = UploadOptions()
  ) throws {
    try self.init(
      destination, queue: EventQueue(folder: folder.path("queue"), .small), upload: upload,
      transport: transport)
  }

  /// Tracks events with the numbers.
  func track(_ numbers: Range<Int>) {
    for number in numbers { track(Event("numbered", ["number": number])) }
  }

  /// The same where time stands still, so that nothing but a flush ends the wait after a failure.
  func isEmptiedByFlushes() async -> Bool {
    await Patience.waitIdly {
      flush()
      return status.waiting == 0
    }
  }
}

/// The numbers of tracked events, in lines of JSON.
func numbers(_ lines: [String]) -> [Int] {
  lines.compactMap { line in
    line.range(of: #""number":"#).flatMap { Int(line[$0.upperBound...].prefix { $0.isNumber }) }
  }
}

/// The identities of tracked events, in lines of JSON.
func ids(_ lines: [String]) -> [String] { lines.map { String($0.dropFirst(7).prefix(36)) } }

extension LoopbackServer {
  /// The lines of all requests, in order.
  var lines: [String] { requests.flatMap(\.lines) }
}

extension TemporaryFolder {
  /// What each file holds that stands in it, at any depth.
  var texts: [String] {
    let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
    return names.compactMap { name in
      FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
