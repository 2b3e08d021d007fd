internal import Ambient

/// Shows on a terminal what a wait of more than a moment is for, in a line that ends with the wait.
enum Progress {
  /// Waits, and meanwhile rewrites the line with what `text` returns; nil erases it.
  ///
  /// Elsewhere than on a terminal nothing is shown: a file would keep each state of the line.
  static func show(
    on output: Output, _ text: @escaping @Sendable () -> String?, during wait: () async -> Void
  ) async {
    guard output.isTerminal else { return await wait() }
    // On a terminal real time passes, whatever time the shop has.
    let shown = Time.withInstance(DefaultTime()) {
      Time.task {
        try await Time.sleep(for: .milliseconds(300))
        while true {
          // One cell is left: some terminals wrap a line that is full. Errors ignored: the wait
          // goes on without its line.
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
