// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#endif

/// The command `ambient-bench`.
@main
struct AmbientBench {
  static func main() async {
    var names: [String] = []
    var json = false
    var mode = Bench.Mode.full
    for argument in CommandLine.arguments.dropFirst() {
      switch argument {
      case "--help", "-h": return print(help)
      case "--json": json = true
      case "--brief": mode = .brief
      case "all": names += Suite.all.map(\.name)
      default:
        guard Suite.all.contains(where: { $0.name == argument }) else {
          stop(64, "“\(argument)” is neither a suite nor an option\n\(help)")
        }
        names.append(argument)
      }
    }
    guard let first = names.first else { return print(help) }
    if names.count > 1 {
      // A process for each: what one suite did to the process must not slow down the next.
      exit(names.map { runAlone($0, json: json, mode: mode) }.max() ?? 0)
    }
    guard await Allocations.seeThose() else {
      stop(1, "allocations are not counted: the program's malloc is not the one in use")
    }
    for suite in Suite.all where suite.name == first {
      await run(suite, json: json, mode: mode)
    }
  }

  @concurrent
  private static func run(_ suite: Suite, json: Bool, mode: Bench.Mode) async {
    let bench = Bench(suite: suite.name, mode: mode, json: json)
    do {
      try await suite.run(bench)
    } catch {
      stop(1, "\(suite.name): \(error)")
    }
    if !bench.failures.isEmpty { stop(1, bench.failures.joined(separator: "\n")) }
  }

  private static func runAlone(_ suite: String, json: Bool, mode: Bench.Mode) -> Int32 {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = [suite] + (json ? ["--json"] : []) + (mode == .brief ? ["--brief"] : [])
    do {
      try process.run()
    } catch {
      stop(1, "\(suite): cannot be started: \(error)")
    }
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func stop(_ status: Int32, _ text: String) -> Never {
    FileHandle.standardError.write(Data("ambient-bench: \(text)\n".utf8))
    exit(status)
  }

  private static var help: String {
    """
    Usage: ambient-bench SUITE… [--json] [--brief]

    Measures Ambient beside the least that the same work could cost. Build it with -c release.

    Suites:
    \(Suite.all.map { "  \($0.name): \($0.abstract)" }.joined(separator: "\n"))
      all: each of them, in a process of its own

    Options:
      --json   one JSON object a line: suite, case, threads, ns (a call), ratio (to the floor),
               allocations (a call)
      --brief  counts allocations and times nothing

    Exit status: 0; 1 if a case allocates more than it may, or fails; 64 for wrong usage.
    """
  }
}
