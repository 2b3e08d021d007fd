// SPDX-License-Identifier: Apache-2.0

import Ambient
import Checkout
import Foundation

/// The demo program. It parses its arguments, sets up the services, runs a command, and shuts down.
@main
struct AmbientDemo {
  static let program: Program = Program(
    name: "ambient-demo", version: AmbientVersion.current,
    summary: "A shop's checkout that depends on time, and is logged and tracked.",
    commands: [
      .story, .checkout, .time, .wiring, .products, .basket, .orders, .refund, .queue, .createTable,
      .logRecover,
    ])

  static func main() async {
    StandardStreams.openClosed()
    // If the reader goes away (`ambient-demo | head -1`), `write` then returns an error; without
    // this line, a signal would kill the program.
    signal(SIGPIPE, SIG_IGN)
    exit(await status(of: Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs the command; returns 0 on success, 1 on failure, 64 for a usage error.
  private static func status(of words: [String]) async -> Int32 {
    do {
      try checkEncoding()
      switch try program.parse(words) {
      case .help(let command, let isWhole):
        let help = Help(program: program, style: Output.standard.style)
        try Output.standard.write(help.text(for: command, isWhole: isWhole))
      case .version:
        try Output.standard.write("\(program.name) \(program.version)\n")
      case .run(let command, let arguments):
        try await run(command.prepare(arguments))
      }
      return 0
    } catch let error as UsageError {
      let command = program.command(named: words[...])?.name ?? error.likelyCommand
      let named = [program.name, command].compactMap(\.self).joined(separator: " ")
      report("usage error: \(error)", advice: "See \(named) --help.\n")
      return 64
    } catch CheckoutError.unknownSKU(let sku, nearest: nil) {
      let error = CheckoutError.unknownSKU(sku, nearest: nil)
      report("\(error); \(program.name) \(Command.products.name) lists the products")
      return 1
    } catch {
      report("\(error)")
      return 1
    }
  }

  /// Checks that all arguments are UTF-8. `CommandLine.arguments` replaces other bytes, so that a
  /// path would name another file.
  private static func checkEncoding() throws(UsageError) {
    for number in 1..<max(Int(CommandLine.argc), 1) {
      // Valid: the array has `argc` strings, which end with a zero byte.
      guard let word = CommandLine.unsafeArgv[number] else { continue }
      if String(validatingCString: word) == nil { throw .notUTF8(argument: number) }
    }
  }

  private static func run(_ run: Command.Run) async throws {
    run.services.install()
    let interruption = run.services.queues.isEmpty ? nil : interruption(run.services)
    defer { interruption?.cancel() }
    do {
      try await run.body(.standard)
    } catch {
      await stop(run.services)
      throw error
    }
    await stop(run.services)
  }

  /// Stops the services, and reports the undelivered events.
  private static func stop(_ services: Services) async {
    await services.stop()
    for line in services.leave() { report(line) }
  }

  /// Makes Ctrl-C report the events that wait for a server, and their folder, before it ends the
  /// program.
  private static func interruption(_ services: Services) -> any DispatchSourceSignal {
    // Turns off the default action of the signal, since the dispatch source handles the signal.
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
      for line in services.leave() { report(line) }
      exit(128 + SIGINT)
    }
    source.activate()
    return source
  }

  /// Writes an error to standard error. The text is escaped, because it may quote arguments and the
  /// contents of files.
  private static func report(_ text: String, advice: String = "") {
    let style = Output.error.style
    let name = "\(program.name):"
    let text = "\(name) \(text.printable)"
    // The text is wrapped here, because a terminal would break the line within words.
    let lines = (style.width.map { text.wrapped(to: $0) } ?? [text]).joined(separator: "\n")
    // A failed write is ignored: if standard error is closed, the failure cannot be reported.
    try? Output.error.write("\(style.red(name))\(lines.dropFirst(name.count))\n\(advice)")
  }
}
