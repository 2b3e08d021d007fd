/// Analytics that write one JSON object a line to standard output, as ``FileAnalytics`` does.
public final class StdoutAnalytics: Analytics, @unchecked Sendable {
  private let sink = LineSink(.standardOutput, source: "StdoutAnalytics")

  /// Always.
  public override var isEnabled: Bool { true }

  /// Writes a line.
  public override func record(_ event: TrackedEvent) { sink.write(EventLine.json(event)) }
}
