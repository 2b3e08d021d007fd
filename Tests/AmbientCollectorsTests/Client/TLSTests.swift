// SPDX-License-Identifier: Apache-2.0

import Ambient
import AmbientCollectors
import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: TLSServer.isPossible, "there is no Python 3 with ssl"))
struct `TLS servers` {
  private static let authority = TLSServer.fixture("authority.pem")
  private static let authorities = TLSServer.certificate("authorities")

  private func outcome(_ client: CollectorClient, _ url: String) async throws -> TransportError? {
    let request = OutgoingRequest(
      "POST", try #require(URL(string: url)), body: Array("an event".utf8))
    do throws(TransportError) {
      let answer = try await client.exchange(request, ExchangeLimits(duration: Patience.short))
      #expect(answer.status == 200 && answer.text == "so")
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: Network.curls)
  func `a server is trusted if its certificate authority is in the trust roots`(network: Network)
    async throws
  {
    let server = try await TLSServer([TLSServer.fixture("server.pem")])
    let client = try network.client(trustRoots: Self.authority)
    for _ in 0..<3 { #expect(await client.outcome(server.url) == "200 so") }
  }

  @Test(arguments: Network.curls)
  func `a request isn't sent if the server's certificate is unknown or for another host`(
    network: Network
  ) async throws {
    let server = try await TLSServer([TLSServer.fixture("server.pem")])
    let untrusted = "unsent: \(TransportError.untrusted())"
    #expect(try await network.client().outcome(server.url) == untrusted)
    let client = try network.client(trustRoots: Self.authority)
    #expect(await client.outcome("https://localhost:\(server.port)/") == untrusted)
  }

  @Test(
    .enabled(if: TLSServer.hasMounts, "this user may not mount a folder of authorities for itself"))
  func `configured trust roots replace the system's certificate authorities`() async throws {
    let server = try await TLSServer([TLSServer.fixture("server.pem")])
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
    // Again where another test's child has the script open for writing, until it has its program.
    var system: (status: Int32, lines: [String])?
    #expect(
      await Patience.waitIdly {
        system = try? await fetch("GET", server.url, program: program)
        return system != nil
      })
    #expect(system?.lines.first == "1 status 200, 2 bytes")
    let other = TLSServer.fixture("other-authority.pem")
    let own = try await fetch("GET", server.url, trustRoots: other, program: program)
    #expect(own.lines.first?.hasPrefix("1 unsent: \(TransportError.untrusted())") == true)
    let proxy = try await fetch(
      "GET", "http://events.example/", trustRoots: other,
      environment: ["http_proxy": server.url], program: program)
    #expect(
      proxy.lines.first?.hasPrefix("1 unsent: \(TransportError.untrusted("proxy"))") == true)
  }

  /// The name by which OpenSSL looks for the tests' authority in a folder.
  private static var hash: String { "99ef4806" }

  @Test(arguments: ["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"])
  func `certificates named by SSL_CERT_FILE, SSL_CERT_DIR or CURL_CA_BUNDLE aren't trusted`(
    name: String
  ) async throws {
    let server = try await TLSServer([TLSServer.certificate("good")])
    let path = name == "SSL_CERT_DIR" ? TLSServer.fixture("Certificates") : Self.authorities
    let end = try await fetch("GET", server.url, environment: [name: path])
    #expect(end.lines.first?.hasPrefix("1 unsent: \(TransportError.untrusted())") == true)
  }

  // Elsewhere it is left out of the arguments.
  @Test(.enabled(if: Network.hasGnuTLS, "libcurl-gnutls.so.4 is not installed"))
  func `an HTTP client whose libcurl uses GnuTLS reaches a trusted server`() async throws {
    let server = try await TLSServer([TLSServer.fixture("server.pem")])
    let client = try Network.gnuTLS.client(trustRoots: Self.authority)
    #expect(await client.outcome(server.url) == "200 so")
    #expect(Network.curls.contains(.gnuTLS))
  }

  @Test(arguments: Network.curls)
  func `an https request fails if the server doesn't speak TLS or ends the handshake`(
    network: Network
  )
    async throws
  {
    for steps: [LoopbackServer.Step] in [[bytes("HTTP/1.1 200 So\r\n\r\n"), .close], [.close]] {
      let server = try LoopbackServer(always: .steps(steps))
      #expect(
        try await network.client().outcome("https://127.0.0.1:\(server.port)/")
          == "unsent: \(TransportError.noTLS)")
    }
  }

  #if !canImport(Darwin)
    /// The names of the bad certificates.
    private static let bad = [
      "broken-signature", "excluded-by-its-intermediate", "expired", "expired-intermediate",
      "for-another-address", "for-another-host", "for-any-host", "for-clients",
      "future-intermediate", "intermediate-that-is-no-authority", "intermediate-that-may-not-sign",
      "missing-intermediate", "not-yet-valid", "of-an-expired-authority", "of-an-impostor",
      "of-an-unknown-authority", "self-signed", "too-long-path", "unknown-critical-extension",
      "without-names",
    ]
    /// The bad certificates that have a wrong signature. OpenSSL reports them as another failure of
    /// the handshake.
    private static let forged: Set = ["broken-signature", "of-an-impostor"]

    @Test(arguments: Network.curls)
    func `a request isn't sent if the server's or the proxy's certificate is invalid`(
      network: Network
    ) async throws {
      #expect(Self.bad.count == 20)
      let certificates = Self.bad.map { TLSServer.certificate("bad-" + $0) }
      let server = try await TLSServer([TLSServer.certificate("good"), "-"] + certificates)
      let client = try network.client(trustRoots: Self.authorities)
      let (good, plain) = (server.ports[0], server.ports[1])
      #expect(try await outcome(client, "https://127.0.0.1:\(good)/") == nil)
      for (name, port) in zip(Self.bad, server.ports.dropFirst(2)) {
        let urls = [
          ("server", "https://127.0.0.1:\(port)/"),
          ("server", "https://127.0.0.1:\(port)/?proxy=http://127.0.0.1:\(plain)"),
          ("proxy", "https://localhost:\(good)/?proxy=https://127.0.0.1:\(port)"),
        ]
        // GnuTLS does not ask for what a certificate may be used.
        if network == .gnuTLS, name == "for-clients" {
          #expect(try await outcome(client, urls[0].1) == nil)
          continue
        }
        for (peer, url) in urls {
          let error = try await outcome(client, url)
          #expect(error?.outcome == .unsent, "\(name): \(url)")
          let isForged = network != .gnuTLS && Self.forged.contains(name)
          #expect(
            error?.reason
              == (isForged ? TransportError.noTLS : TransportError.untrusted(peer)), "\(name)")
          #expect(error?.detail.isEmpty == false && error?.detail.contains("127.0.0.1") == false)
        }
      }
    }

    @Test(arguments: Network.curls)
    func `a TLS proxy is trusted only if its certificate authority is in the trust roots`(
      network: Network
    ) async throws {
      let server = try await TLSServer([TLSServer.certificate("good")])
      let client = try network.client(trustRoots: Self.authorities)
      let proxy = "?proxy=https://127.0.0.1:\(server.port)"
      #expect(try await outcome(client, "http://events.example/" + proxy) == nil)
      let usual = try await outcome(network.client(), "http://events.example/" + proxy)
      #expect(usual?.outcome == .unsent && usual?.reason == TransportError.untrusted("proxy"))
      // libcurl 7.88 with GnuTLS waits without end for such a server.
      if network != .gnuTLS { #expect(try await outcome(client, server.url + proxy) == nil) }
    }

    /// Replaces the file at `path` by a certificate.
    private func put(_ name: String, _ path: String) throws {
      try Data(contentsOf: URL(filePath: TLSServer.certificate(name)))
        .write(to: URL(filePath: path), options: .atomic)
    }

    @Test(arguments: Network.rereadingCurls)
    func `after the trust roots file is replaced, the next connection uses the new file`(
      network: Network
    )
      async throws
    {
      let folder = TemporaryFolder()
      let (path, own) = (folder.path("authorities.pem"), folder.path("server.pem"))
      try put("authorities", path)
      try put("good", own)
      let server = try await TLSServer([own], isClosing: true)
      let client = try network.client(trustRoots: path)
      for _ in 0..<2 { #expect(try await outcome(client, server.url) == nil) }
      // The server has the same certificate, and would let a client resume its session.
      try put("second-authority", path)
      #expect(
        try await outcome(client, server.url)?.reason == TransportError.untrusted("server"))
      try put("second-good", own)
      #expect(try await outcome(client, server.url) == nil)
      try put("authorities", path)
      #expect(
        try await outcome(client, server.url)?.reason == TransportError.untrusted("server"))
    }

    @Test(.quiet, arguments: Network.rereadingCurls)
    func `events arrive exactly once while the TLS server's certificate is replaced`(
      network: Network
    ) async throws {
      let folder = TemporaryFolder()
      let (path, own) = (folder.path("authorities.pem"), folder.path("server.pem"))
      try put("authorities", path)
      try put("good", own)
      let server = try await TLSServer([own], bodies: folder.path("bodies"), isClosing: true)
      var upload = UploadOptions.prompt
      upload.events = 20
      let analytics = try HTTPAnalytics(
        url: server.url, queue: EventQueue(folder: folder.path("queue"), .small), upload: upload,
        transport: network.client(trustRoots: path))
      analytics.track(0..<300)
      #expect(await Patience.waitIdly { analytics.status.delivered >= 100 })
      try put("second-good", own)
      analytics.track(300..<600)
      let untrusted = TransportError.untrusted()
      #expect(
        await Patience.waitIdly { analytics.status.trouble?.reason.contains(untrusted) == true })
      analytics.track(600..<1_000)
      try put("second-authority", path)
      #expect(await analytics.isEmptied())
      #expect(analytics.status.delivered == 1_000 && analytics.status.lost == [:])
      let lines = try folder.text("bodies").split(separator: "\n").map(String.init)
      #expect(numbers(lines).sorted() == Array(0..<1_000))
    }

    @Test(arguments: Network.curls)
    func `a server accepts the configured client certificate`(network: Network) async throws {
      let server = try await TLSServer([TLSServer.certificate("good")], clients: Self.authorities)
      for certificate in [
        ClientCertificate(path: TLSServer.certificate("client-and-key")),
        ClientCertificate(
          path: TLSServer.certificate("client"), key: TLSServer.certificate("client-key")),
      ] {
        let client = try network.client(trustRoots: Self.authorities, certificate: certificate)
        #expect(try await outcome(client, server.url) == nil)
      }
    }

    @Test(
      arguments: [
        (nil, TransportError.certificateWanted()),
        (
          "client-expired", TransportError.certificateRefused()
        ),
        (
          "client-unknown", TransportError.certificateRefused()
        ),
      ] as [(String?, String)])
    func `a request counts as unsent if the server refuses the client certificate`(
      name: String?, reason: String
    ) async throws {
      let server = try await TLSServer(
        [TLSServer.certificate("good"), "-"], clients: Self.authorities)
      let certificate = name.map { ClientCertificate(path: TLSServer.certificate($0)) }
      let client = try Network.curl.client(trustRoots: Self.authorities, certificate: certificate)
      for proxy in ["", "?proxy=http://127.0.0.1:\(server.ports[1])"] {
        // The system may lose the alert if the server ends the connection at once.
        var error: TransportError?
        #expect(
          await Patience.waitIdly {
            error = try? await outcome(client, server.url + proxy)
            return error?.reason == reason
          })
        #expect(error?.outcome == .unsent)
      }
    }

    @Test(arguments: [("client", nil), ("good", "client-key")] as [(String, String?)])
    func `a request isn't sent if the client certificate's key is missing or doesn't match`(
      name: String, key: String?
    ) async throws {
      let server = try await TLSServer([TLSServer.certificate("good")], clients: Self.authorities)
      for network in Network.curls {
        let certificate = ClientCertificate(
          path: TLSServer.certificate(name), key: key.map { TLSServer.certificate($0) })
        let client = try network.client(trustRoots: Self.authorities, certificate: certificate)
        let error = try await outcome(client, server.url)
        #expect(error?.outcome == .unsent && error?.detail.isEmpty == false)
      }
    }
  #endif
}
