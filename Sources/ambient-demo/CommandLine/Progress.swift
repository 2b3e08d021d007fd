internal import Ambient

/// Shows in a line of the terminal why the program waits. The line appears only if the wait is
/// long, and is erased after the wait.
enum Progress {
  /// Runs `wait`, and shows the result of `text` in a line, which is updated until `wait` returns.
  /// If `text` returns nil, the line is erased.
  ///
  /// If the output is not a terminal, nothing is shown, because a file would contain each state of
  /// the line.
  static func show(
    on output: Output, _ text: @escaping @Sendable () -> String?, during wait: () async -> Void
  ) async {
    guard output.isTerminal else { return await wait() }
    // The line is updated in real time, even if the shop's time stands still.
    let shown = Time.withInstance(DefaultTime()) {
      Time.task {
        try await Time.sleep(for: .milliseconds(300))
        while true {
          // One cell is left free, because some terminals wrap a full line. Errors are ignored,
          // because the wait does not depend on the line.
          let line = text()?.printable.cut(toCells: (output.style.width ?? 80) - 1)
          try? output.write("\(output.erasedLine)\(line ?? "")\r")
          try await Time.sleep(for: .milliseconds(200))
        }
      }
    }
    await wait()
    shown.cancel()
    _ = await shown.result
    try? output.write(output.erasedLine)
  }
}
