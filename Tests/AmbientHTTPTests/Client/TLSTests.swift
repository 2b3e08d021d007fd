import AmbientHTTP
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
  static let isPossible = FileManager.default.isExecutableFile(atPath: "/usr/bin/env")

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
