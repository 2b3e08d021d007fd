import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TLSServer.isPossible, "there is no Python 3 with ssl"))
struct `A server with TLS` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures")
  private static var authority: String { folder.appending(path: "authority.pem").path }

  @Test(arguments: Network.curls)
  func `is trusted by the file of authorities that has its own`(network: Network) async throws {
    let server = try await TLSServer(Self.folder.appending(path: "server.pem").path)
    let client = try network.client(authorities: Self.authority)
    for _ in 0..<3 {
      #expect(await client.outcome("https://127.0.0.1:\(server.port)/") == "200 so")
    }
  }

  @Test(arguments: Network.curls)
  func `is sent nothing where its certificate is not known, or another's`(
    network: Network
  ) async throws {
    let server = try await TLSServer(Self.folder.appending(path: "server.pem").path)
    let untrusted = "unsent: the server's certificate is not trusted"
    #expect(
      try await network.client().outcome("https://127.0.0.1:\(server.port)/") == untrusted)
    let client = try network.client(authorities: Self.authority)
    #expect(await client.outcome("https://localhost:\(server.port)/") == untrusted)
  }

  @Test(
    .enabled(if: TLSServer.hasMounts, "this user may not mount a folder of authorities for itself"))
  func `is trusted by no authority of the system's beside that file`() async throws {
    let server = try await TLSServer(Self.folder.appending(path: "server.pem").path)
    // The system's folder of authorities, as this program sees it, has the server's alone.
    let folder = TemporaryFolder()
    let program = folder.path("Isolated")
    try folder.write(
      """
      #!/bin/sh
      exec unshare --mount sh -c 'mount -t tmpfs none /etc/ssl/certs && \
        cp "\(Self.authority)" /etc/ssl/certs/\(Self.hash).0 && \
        cp "\(Self.authority)" /etc/ssl/certs/ca-certificates.crt && exec "$@"' sh \
        "\(Products.program("Fetcher").path)" "$@"
      """, to: "Isolated")
    #expect(chmod(program, 0o755) == 0)
    let url = "https://127.0.0.1:\(server.port)/"
    // Again where another test's child has the script open for writing, until it has its program.
    var system: (status: Int32, lines: [String])?
    #expect(
      await Patience.waitIdly {
        system = try? await fetch("GET", url, program: program)
        return system != nil
      })
    #expect(system?.lines.first == "1 status 200, 2 bytes")
    let own = try await fetch(
      "GET", url, authorities: Self.folder.appending(path: "other-authority.pem").path,
      program: program)
    #expect(own.lines.first?.hasPrefix("1 unsent: the server's certificate is not trusted") == true)
  }

  /// The name by which OpenSSL looks for the tests' authority in a folder.
  private static var hash: String { "99ef4806" }

  // Elsewhere it is left out of the arguments.
  @Test(.enabled(if: Network.hasGnuTLS, "libcurl-gnutls.so.4 is not installed"))
  func `is reached by the variant of libcurl with GnuTLS, too`() async throws {
    let server = try await TLSServer(Self.folder.appending(path: "server.pem").path)
    let client = try Network.gnuTLS.client(authorities: Self.authority)
    #expect(await client.outcome("https://127.0.0.1:\(server.port)/") == "200 so")
    #expect(Network.curls.contains(.gnuTLS))
  }

  @Test(arguments: Network.curls)
  func `that speaks none, or ends the handshake, is told as that`(network: Network) async throws {
    for steps: [LoopbackServer.Step] in [[bytes("HTTP/1.1 200 So\r\n\r\n"), .close], [.close]] {
      let server = try LoopbackServer(always: .steps(steps))
      #expect(
        try await network.client().outcome("https://127.0.0.1:\(server.port)/")
          == "unsent: the TLS handshake failed; see whether the server speaks plain http")
    }
  }
}

/// A small server of HTTPS, in Python.
private final class TLSServer {
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

  private static let script = """
    import socket, ssl, sys, threading
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1])
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    def serve(plain):
        try:
            with context.wrap_socket(plain, server_side=True) as connection:
                while connection.recv(65536):
                    connection.sendall(b"HTTP/1.1 200 So\\r\\nContent-Length: 2\\r\\n\\r\\nso")
        except OSError:
            plain.close()
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
    """

  let port: Int
  private let folder = TemporaryFolder()
  private let process: ChildProgram

  init(_ certificate: String) async throws {
    let output = try folder.makeFile("port")
    process = try ChildProgram(
      "/usr/bin/env", ["python3", "-c", Self.script, certificate], output: output)
    let path = folder.path("port")
    var text = ""
    let isReady = await Patience.waitIdly {
      text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.hasSuffix("\n")
    }
    guard isReady, let port = Int(text.dropLast()) else { throw CocoaError(.fileReadUnknown) }
    self.port = port
  }

  deinit { process.killed() }
}
