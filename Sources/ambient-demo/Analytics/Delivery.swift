import Ambient
import AmbientCollectors
import Foundation

/// One server of a run: its collector, where its events wait, and what became of them.
final class Delivery: Sendable {
  let collector: Collector
  private let target: DeliveryTarget
  /// The folder that `--queue` named; nil if the queue goes with the run.
  private let kept: String?
  private let folder: String

  /// Opens the queue of the target: a folder of its own in `kept`, or a temporary one.
  ///
  /// - Parameter levels: From which level on a log takes records.
  init(
    to target: DeliveryTarget, keptIn kept: String?, levels: LogLevels = .environment
  ) throws {
    self.target = target
    self.kept = kept
    let make = try CollectorMaker(for: target, levels: levels)
    folder = try kept.map { "\($0)/\(target.folderName)" } ?? Self.makeTemporaryFolder()
    let diagnostics = DeliveryDiagnostics()
    // A server's time runs on where the shop's stands still: deliveries wait, and try again, by the
    // system's clock. An event has the time at which it was tracked.
    let folder = folder
    do {
      collector = try Time.withInstance(DefaultTime()) {
        try Diagnostics.withInstance(diagnostics) { try make(EventQueue(folder: folder)) }
      }
    } catch {
      if kept == nil { try? FileManager.default.removeItem(atPath: folder) }
      throw error
    }
    diagnostics.watch(collector)
  }

  deinit { tidyUp() }

  private static func makeTemporaryFolder() throws -> String {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "ambient-demo-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }

  /// Removes the queue if no other run knows of it.
  func tidyUp() {
    if kept == nil { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// What is to be said once the collector was stopped; nothing if all was delivered.
  var report: [String] {
    let status = collector.status
    var lines: [String] = []
    if status.waiting > 0 {
      let isOne = status.waiting == 1
      let reason = status.trouble?.reason ?? "there was no time to send them"
      let events = "\(events(status.waiting)) for \(target.shown)"
      lines.append(
        kept.map { folder in
          """
          \(events) \(isOne ? "waits" : "wait"): \(reason); the next run with --queue \(folder) \
          delivers \(isOne ? "it" : "them")
          """
        } ?? """
          \(events) \(isOne ? "is" : "are") lost: \(reason); with --queue DIR the next run would \
          deliver \(isOne ? "it" : "them")
          """)
    }
    let dropped = status.dropped.values.reduce(0, +)
    if dropped > 0 {
      let reasons = status.dropped.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
      lines.append(
        """
        \(events(dropped)) for \(target.shown) \(dropped == 1 ? "was" : "were") dropped: \
        \(reasons.joined(separator: ", "))
        """)
    }
    return lines
  }

  private func events(_ count: Int) -> String {
    let one = if case .log = collector { "record" } else { "event" }
    return count == 1 ? "1 \(one)" : "\(count) \(one)s"
  }
}

/// Diagnostics of a collector, without what the report at the end says better: that events wait.
private final class DeliveryDiagnostics: Diagnostics, @unchecked Sendable {
  private struct Watched: Sendable {
    weak var analytics: QueuedAnalytics?
    weak var log: OTLPLog?
  }

  private let watched = Guarded(Watched())

  func watch(_ collector: Collector) {
    watched.withLock { watched in
      switch collector {
      case .events(let analytics): watched.analytics = analytics
      case .log(let log): watched.log = log
      }
    }
  }

  override func report(_ diagnostic: Diagnostic) {
    switch diagnostic.kind {
    case .recovered: return
    case .undelivered:
      // Where nothing was dropped, events wait.
      let (analytics, log) = watched.withLock { ($0.analytics, $0.log) }
      if (analytics?.status ?? log?.status)?.dropped.isEmpty != false { return }
    default: break
    }
    super.report(diagnostic)
  }
}
