// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A small server of HTTPS, in Python, with a port for each certificate (`Fixtures/tls-server.py`).
/// Each port is a proxy, too.
final class TLSServer {
  static let isPossible = succeeds("python3", "-c", "import ssl")
  /// Whether a program can have a folder of authorities of its own.
  static let hasMounts = succeeds(
    "unshare", "--mount", "mount", "-t", "tmpfs", "none", "/etc/ssl/certs")

  private static func succeeds(_ words: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// The path of a file of `Fixtures`.
  static func fixture(_ name: String) -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/\(name)").path
  }

  /// The path of a file of `Fixtures/Certificates`, without its ending.
  static func certificate(_ name: String) -> String { fixture("Certificates/\(name).pem") }

  let ports: [Int]
  var port: Int { ports[0] }
  var url: String { "https://127.0.0.1:\(port)/" }
  private let folder = TemporaryFolder()
  private let process: ChildProgram

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - certificates: The paths of files in PEM, with their keys; `-` for a port without TLS.
  ///   - clients: The path of the authorities of clients; nil if clients need no certificate.
  ///   - bodies: The path of a file to which the bodies of all requests are appended.
  ///   - isClosing: Whether each answer ends its connection.
  init(
    _ certificates: [String], clients: String? = nil, bodies: String? = nil,
    isClosing: Bool = false
  ) async throws {
    var words = ["python3", Self.fixture("tls-server.py")]
    if let clients { words += ["--clients", clients] }
    if let bodies { words += ["--bodies", bodies] }
    if isClosing { words.append("--close") }
    process = try ChildProgram(
      "/usr/bin/env", words + certificates, output: try folder.makeFile("ports"))
    let path = folder.path("ports")
    var text = ""
    let isReady = await Patience.waitIdly {
      text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").count == certificates.count && text.hasSuffix("\n")
    }
    guard isReady else { throw CocoaError(.fileReadUnknown) }
    ports = text.split(separator: "\n").compactMap { Int($0) }
  }

  deinit { process.killed() }
}
