// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import AmbientCollectors
internal import Foundation
internal import Synchronization

extension Suite {
  /// An event that is tracked into a queue, beside the same bytes encoded by hand.
  static let analytics = Suite(
    name: "analytics", abstract: "an event into a queue beside the same encoded by hand"
  ) { bench in
    let cases = [
      FileCase("encoded by hand into 64 KiB, a write for each", floor: true) {
        HandWrittenEvents(path: $0)
      },
      FileCase("track, into a queue") { try QueuedEvents(folder: $0) },
      FileCase("track, into a file") { try FiledEvents(path: $0) },
      FileCase("JSONEncoder, a write for each event") { EncodedEvents(path: $0) },
    ]
    for threads in [1, 2] {
      try await bench.measure(files: cases, threads: threads, suite: "analytics")
    }
    if bench.mode == .full { try await bench.showMemory() }
  }
}

extension Bench {
  /// How much anonymous memory a hundred thousand events take that wait in a queue.
  fileprivate func showMemory() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let queued = try QueuedEvents(folder: path)
    for number in 0..<10_000 { queued.put(number) }
    let before = Self.anonymousMemory
    for number in 0..<100_000 { queued.put(number) }
    let after = Self.anonymousMemory
    let waiting = queued.waiting
    await queued.end()
    guard let before, let after else { return }
    let text = "\(waiting) events wait, and anonymous memory grew by \(after - before) KiB"
    print(json ? "{\"suite\":\"analytics\",\"case\":\"\(text)\"}" : "\n\(text)")
  }

  /// In KiB; nil where the system does not say.
  private static var anonymousMemory: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("RssAnon:") })
    else { return nil }
    return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }
  }
}

/// The event that each of them tracks: five properties, in a line of 193 bytes.
@inline(never)
private func purchase(_ number: Int) -> Event {
  Event(
    "purchase",
    [
      "transaction_id": "100123", "value": 100_000 + number % 1_000, "currency": "EUR",
      "items": 3, "gift": number & 1 == 0,
    ])
}

/// Tracks into a queue that is not sent.
private final class QueuedEvents: LineTarget {
  private let analytics: HTTPAnalytics

  init(folder: String) throws {
    var options = EventQueue.Options()
    options.capacity = 32 * 1_024 * 1_024
    var upload = UploadOptions()
    upload.events = .max
    upload.bytes = .max
    upload.interval = .seconds(86_400)
    analytics = try HTTPAnalytics(
      url: "http://127.0.0.1:9/", queue: EventQueue(folder: folder, options),
      upload: upload)
  }

  var waiting: Int { analytics.status.waiting }

  func put(_ number: Int) { analytics.track(purchase(number)) }
  func finish() {}
  func end() async { await analytics.shutdown(deadline: .now) }
}

private final class FiledEvents: LineTarget {
  private let analytics: FileAnalytics

  init(path: String) throws {
    var options = FileOptions()
    options.whenFull = .wait(atMost: .seconds(60))
    analytics = try FileAnalytics(path: path, file: options)
  }

  func put(_ number: Int) { analytics.track(purchase(number)) }
  func finish() { analytics.flush() }
}

/// What is usually written: a structure, the encoder of Foundation, a write.
private final class EncodedEvents: LineTarget {
  private struct Body: Encodable {
    let id = UUID()
    let time = Date()
    let event = "purchase"
    let properties: Properties
  }

  private struct Properties: Encodable {
    let transactionID = "100123"
    let value: Int
    let currency = "EUR"
    let items = 3
    let gift: Bool
  }

  private let file: Int32

  init(path: String) { file = open(path, O_WRONLY | O_APPEND | O_CREAT, 0o600) }

  deinit { close(file) }

  func put(_ number: Int) {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let body = Body(properties: Properties(value: 100_000 + number % 1_000, gift: number & 1 == 0))
    guard var line = try? encoder.encode(body) else { return }
    line.append(UInt8(ascii: "\n"))
    _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }

  func finish() {}
}
