// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A server of ClickHouse, as an ordinary process with its data in a folder, that is killed and
/// started.
final class ClickHouse {
  static let program = "/usr/sbin/clickhouse-server"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  private let folder: TemporaryFolder
  private let port: Int
  /// Keeps the port from other programs while the server does not run.
  private let reservation: LoopbackServer
  private var process: ChildProgram?

  init(_ folder: TemporaryFolder) throws {
    self.folder = folder
    reservation = try LoopbackServer(always: .close)
    port = reservation.port
    reservation.refuse()
    try folder.write(
      """
      <yandex>
        <logger><level>none</level><console>1</console></logger>
        <http_port>\(port)</http_port><listen_host>127.0.0.1</listen_host>
        <path>\(folder.path)/data/</path><tmp_path>\(folder.path)/tmp/</tmp_path>
        <users_config>\(folder.path("users.xml"))</users_config>
        <default_profile>default</default_profile><default_database>default</default_database>
        <mark_cache_size>5368709120</mark_cache_size>
      </yandex>
      """, to: "config.xml")
    try folder.write(
      """
      <yandex>
        <profiles><default></default></profiles><quotas><default></default></quotas>
        <users><default>
          <password></password><networks><ip>127.0.0.1</ip></networks>
          <profile>default</profile><quota>default</quota>
        </default></users>
      </yandex>
      """, to: "users.xml")
  }

  deinit { kill() }

  var url: String { "http://127.0.0.1:\(port)/" }

  /// Starts it, and waits until it answers.
  func start() async throws {
    process = try ChildProgram(Self.program, ["--config-file=\(folder.path("config.xml"))"])
    let isReady = await Patience.waitIdly {
      (try? await self.query("SELECT 1")) == "1"
    }
    guard isReady else { throw NoServer(answer: "it does not answer") }
  }

  /// Kills it where it stands.
  func kill() {
    process?.killed()
    process = nil
  }

  /// What it answers.
  @discardableResult
  func query(_ text: String) async throws -> String {
    guard let url = URL(string: url) else { throw CocoaError(.fileReadUnknown) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(text.utf8)
    let (data, response) = try await URLSession.shared.data(for: request)
    let answer = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw NoServer(answer: answer) }
    return answer
  }

  struct NoServer: Error { let answer: String }
}
