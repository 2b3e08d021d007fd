// SPDX-License-Identifier: Apache-2.0

/// Analytics that write each event to standard output, as a line like those of ``FileAnalytics``.
///
/// A line is written at once. A reader that goes away, or does not read for a second, stops neither
/// the program nor the analytics: lost events are counted, and reported to ``Diagnostics``. So that
/// a missing reader does not end the program, the analytics install an empty handler for SIGPIPE,
/// unless the program has set an action for that signal.
public final class StdoutAnalytics: Analytics, @unchecked Sendable {
  private let lines = LineSink(LineStream(.standardOutput), source: "StdoutAnalytics")

  /// The number of events that could not be written, for example because the pipe stayed full.
  public override var lostEvents: Int { lines.failures.count }

  /// Writes the event to standard output, as a line.
  ///
  /// - Parameter event: The event.
  public override func record(_ event: TrackedEvent) { lines.write(event) }
}
