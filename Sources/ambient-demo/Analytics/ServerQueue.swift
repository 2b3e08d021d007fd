// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation

/// Sends events, or the records of a log, to a server.
protocol Collector: AnyObject, Sendable {
  /// The noun for one event or record.
  static var noun: String { get }
  var status: DeliveryStatus { get }
}

extension QueuedAnalytics: Collector {
  static var noun: String { "event" }
}

extension OTLPLog: Collector {
  static var noun: String { "record" }
}

/// The queue of a run's events for one server, and the result of their delivery.
final class ServerQueue: Sendable {
  private let collector: any Collector
  private let target: DeliveryTarget
  /// The folder named by `--queue`; nil if the queue is removed after the run.
  private let kept: String?
  private let folder: String

  /// Opens the target's queue, and makes its collector. The queue's folder is a subfolder of
  /// `kept`, or a temporary folder if `kept` is nil.
  static func open<Made: Collector>(
    for target: DeliveryTarget, keptIn kept: String?, _ make: CollectorMaker<Made>
  ) throws -> (Made, ServerQueue) {
    let folder =
      try kept.map { FileSystem.path(target.folderName, in: $0) } ?? makeTemporaryFolder()
    let diagnostics = DeliveryDiagnostics()
    do {
      // The collector measures its waits by the system's clock, because the shop's time may be
      // frozen. An event keeps the shop's time at which it was tracked.
      let collector = try Time.withInstance(DefaultTime()) {
        try Diagnostics.withInstance(diagnostics) { try make(EventQueue(folder: folder)) }
      }
      diagnostics.watch(collector)
      return (collector, ServerQueue(collector, target, kept, folder))
    } catch {
      if kept == nil { try? FileManager.default.removeItem(atPath: folder) }
      throw error
    }
  }

  private init(
    _ collector: any Collector, _ target: DeliveryTarget, _ kept: String?, _ folder: String
  ) {
    self.collector = collector
    self.target = target
    self.kept = kept
    self.folder = folder
  }

  deinit { tidyUp() }

  private static func makeTemporaryFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "ambient-demo-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }

  /// Removes the queue, unless it is in a folder that `--queue` named.
  func tidyUp() {
    if kept == nil { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// The lines of the report after the collector was stopped; empty if everything was delivered, or
  /// if the collector is disabled.
  var report: [String] {
    let status = collector.status
    // The collector itself reports that it is disabled.
    if status.isDisabled { return [] }
    var lines: [String] = []
    if status.waiting > 0 {
      let reason = status.trouble?.reason ?? "the program ended before they were sent"
      let outcome = kept == nil ? "lost" : "waiting"
      let advice =
        kept.map { "the next run with --queue \($0) sends them" }
        ?? "with --queue DIR, the next run would send them"
      lines.append(
        "\(outcome): \(events(status.waiting)) for \(target.shown): \(reason); \(advice)")
    }
    let lost = status.lost.values.reduce(0, +)
    if lost > 0 {
      let reasons = status.lost.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      lines.append(
        "lost: \(events(lost)) for \(target.shown): \(reasons.joined(separator: ", "))")
    }
    return lines
  }

  private func events(_ count: Int) -> String { count.with(type(of: collector).noun) }
}

/// Passes on the diagnostics of a collector, with two exceptions. Reports that the collector works
/// again are dropped. Reports of undelivered events are dropped while no event is lost, because
/// `ServerQueue.report` shows the waiting events.
private final class DeliveryDiagnostics: Diagnostics, @unchecked Sendable {
  private struct Watched: Sendable { weak var collector: (any Collector)? }

  private let watched = Guarded(Watched())

  func watch(_ collector: any Collector) { watched.withLock { $0.collector = collector } }

  override func report(_ diagnostic: Diagnostic) {
    switch diagnostic.kind {
    case .recovered: return
    case .undelivered:
      // If no event is lost, the report is only about waiting events, which `ServerQueue.report`
      // shows.
      let collector = watched.withLock(\.collector)
      if collector?.status.lost.isEmpty != false { return }
    default: break
    }
    super.report(diagnostic)
  }
}
