// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A program in C++ that writes lines with spdlog, where that and a compiler are installed.
final class SpdlogProgram: Sendable {
  private let folder: URL

  private init(folder: URL) { self.folder = folder }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Compiles it into a folder of its own; nil where it cannot be.
  static func compiled() throws -> SpdlogProgram? {
    let files = FileManager.default
    let compilers = ["/usr/bin/c++", "/usr/bin/g++", "/usr/bin/clang++"]
    guard files.fileExists(atPath: "/usr/include/spdlog/spdlog.h"),
      let compiler = compilers.first(where: files.isExecutableFile)
    else { return nil }
    let folder = files.temporaryDirectory.appending(path: "bench-spdlog-\(UUID())")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = SpdlogProgram(folder: folder)
    var place = URL(filePath: #filePath)
    for _ in 0..<4 { place.deleteLastPathComponent() }
    // All in the headers, so that the compiler sees the whole of it.
    _ = try output(
      of: compiler, "-std=c++17", "-O3", "-DSPDLOG_FMT_EXTERNAL", "-DFMT_HEADER_ONLY", "-pthread",
      place.appending(path: "spdlog/lines.cpp").path, "-o", program.path)
    return program
  }

  private var path: String { folder.appending(path: "lines").path }

  /// Nanoseconds a line, by the wall clock and by the processor time of all threads.
  func run(
    _ log: String, _ word: String, _ threads: Int, _ lines: Int
  ) throws -> (wall: Double, processor: Double) {
    struct Times: Decodable { let wall, processor: Double }
    let data = try Self.output(of: path, log, word, "\(threads)", "\(lines)")
    let times = try JSONDecoder().decode(Times.self, from: data)
    return (times.wall, times.processor)
  }

  /// How long single calls last, in nanoseconds: half of them, 99 %, 99.9 % and all at most.
  func calls(_ log: String, _ threads: Int, _ lines: Int) throws -> [Double] {
    let data = try Self.output(of: path, log, "calls", "\(threads)", "\(lines)")
    return try JSONDecoder().decode([Double].self, from: data)
  }

  private static func output(of program: String, _ words: String...) throws -> Data {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = words
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failed(program: program, status: process.terminationStatus)
    }
    return data
  }

  /// A program did not do what it was to do.
  struct Failed: Error {
    let program: String
    let status: Int32
  }
}
