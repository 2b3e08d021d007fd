// SPDX-License-Identifier: Apache-2.0

internal import Ambient
internal import Foundation
internal import Synchronization

/// An HTTP client without cookies, caches and stored passwords, for collectors.
///
/// On Linux, requests are sent by libcurl, with HTTP/1.1; on Apple's systems, by the system's
/// URLSession, which chooses the version of HTTP. libcurl is loaded when the first client is made;
/// no development package is needed. Each client has its own connections, and on Linux its own
/// thread, from its first request on.
///
/// A redirect is followed only to the same scheme, host and port, with method, headers and body
/// unchanged, and at most five times; any other redirect is returned as the answer. The client
/// reads as much of an answer's body as ``ExchangeLimits`` allow, and decompresses nothing; on
/// Linux, an answer whose header has more than 64 KiB is an error. Certificates are always checked.
/// On Linux, proxies come from the usual environment variables (`https_proxy`, `no_proxy`); on
/// Apple's systems, from the system's settings. Virtual time does not move during an exchange,
/// whose time limit counts in real time. Safe to use from any thread.
public final class CollectorClient: HTTPTransport {
  private let carrier: any Carrier
  /// Whether to use the system's zlib, if it has one.
  private let hasZlib: Bool
  /// Whether a compressed body has been accepted or refused so far. A system without zlib counts as
  /// a refusal.
  private let gzip = Atomic<Gzip>(.untried)

  private enum Gzip: UInt8, AtomicRepresentable {
    case untried, taken, refused
  }

  private static var mostRedirects: Int { 5 }
  private static var redirects: [Int] { [301, 302, 303, 307, 308] }
  /// The time that the carrier has to end a late exchange. After that time, the client itself ends
  /// the exchange. The time begins when the client notices that the exchange is late: a process
  /// that was stopped until then must still read an answer that came meanwhile.
  private static var grace: Duration { .milliseconds(100) }

  /// Creates a client with connections of its own.
  ///
  /// The files are read again for each new connection.
  ///
  /// - Parameters:
  ///   - trustRoots: The path of a file of certificates (PEM), which are trusted in place of the
  ///     system's certificates, for servers and proxies; nil to trust the system's certificates.
  ///   - certificate: The certificate that the client shows to a server that wants one; nil for
  ///     none.
  /// - Throws: ``CollectorError``. On Linux: if the system has no usable libcurl, if the program
  ///   runs with more rights than its caller, if a file cannot be read, or if the key needs a
  ///   password. On Apple's systems: if a file is given.
  public convenience init(
    trustRoots: String? = nil, certificate: ClientCertificate? = nil
  ) throws(CollectorError) {
    #if canImport(Darwin)
      guard trustRoots == nil, certificate == nil else { throw .filesUnsupported }
      self.init(URLSessionCarrier())
    #else
      let library = try CurlLibrary.system()
      for path in [trustRoots, certificate?.path, certificate?.key] { try Self.check(path) }
      if let key = certificate?.key, Self.isEncrypted(key) { throw .encryptedKey(path: key) }
      self.init(
        CurlCarrier(library, TLSFiles(trustRoots: trustRoots, certificate: certificate)))
    #endif
  }

  package init(_ carrier: any Carrier, hasZlib: Bool = true) {
    self.carrier = carrier
    self.hasZlib = hasZlib
  }

  /// Sends the request, and waits for the whole answer, as long as the limit allows.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - limits: The limits of time, redirects included, and of the answer's size.
  /// - Returns: The server's answer, with any status; see ``HTTPAnswer/isCut``.
  /// - Throws: ``TransportError`` if there is no answer, if the answer broke off before it decided
  ///   anything, if a success is incomplete at the time limit, if the task was cancelled, or if the
  ///   request cannot be sent, for example because a header field contains a line break, or because
  ///   the address is not of http or https.
  public func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> HTTPAnswer {
    if let fault = request.fault { throw TransportError(.unsent, fault) }
    return try await Time.hold { () async throws(TransportError) in
      let end = RealTime.now + limits.duration
      guard let packed = compressed(request) else { return try await follow(request, limits, end) }
      let answer = try await follow(packed, limits, end)
      if answer.status / 100 == 2 {
        // Changes only `untried`: another exchange may have recorded a refusal meanwhile, which
        // must not be overwritten.
        _ = gzip.compareExchange(expected: .untried, desired: .taken, ordering: .relaxed)
      }
      // A server that does not know the encoding may find the body malformed, and answer 400.
      let isUnknown = gzip.load(ordering: .relaxed) == .untried && answer.status == 400
      guard isUnknown || answer.status == 415 else { return answer }
      let plain = try await follow(request, limits, end)
      if plain.status / 100 == 2 { noteRefusal(of: request, answer.status) }
      return plain
    }
  }

  private func follow(
    _ request: OutgoingRequest, _ limits: ExchangeLimits, _ end: ContinuousClock.Instant
  ) async throws(TransportError) -> HTTPAnswer {
    var redirects = 0
    var request = request
    while true {
      var answer = try await send(RunningExchange(request, limits, until: end))
      guard Self.redirects.contains(answer.status), let location = answer.headers["location"],
        let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
        target.hasOrigin(of: request.url), target.fault == nil
      else { return answer }
      guard redirects < Self.mostRedirects else {
        answer.isRedirectedTooOften = true
        return answer
      }
      redirects += 1
      request.url = target
    }
  }

  /// The request with a compressed body; nil if the body is sent uncompressed.
  private func compressed(_ request: OutgoingRequest) -> OutgoingRequest? {
    guard request.compression.isWorth(request.body), gzip.load(ordering: .relaxed) != .refused,
      !request.headers.keys.contains(where: { $0.lowercased() == "content-encoding" })
    else { return nil }
    guard hasZlib, BodyCompression.isAvailable else {
      noteRefusal(of: request, nil)
      return nil
    }
    guard let body = BodyCompression.gzip(request.body) else { return nil }
    var request = request
    request.body = body
    request.headers["Content-Encoding"] = "gzip"
    return request
  }

  /// Turns compression off for later requests, and reports that once.
  private func noteRefusal(of request: OutgoingRequest, _ status: Int?) {
    guard gzip.exchange(.refused, ordering: .relaxed) != .refused else { return }
    Diagnostics.report(
      .warned, source: "CollectorClient \(request.url.withoutSecrets)",
      Self.uncompressed(rejectedBy: status))
  }

  /// The report that bodies are sent uncompressed.
  ///
  /// - Parameter status: The status with which the server rejected a compressed body; nil if the
  ///   system has no zlib.
  static func uncompressed(rejectedBy status: Int?) -> String {
    let (cause, cure) =
      status.map {
        (
          "the server rejected gzip with status \($0), but accepted an uncompressed body",
          "enable gzip on the server"
        )
      } ?? ("this system has no zlib (\(BodyCompression.library))", "install zlib")
    return "\(cause); later bodies are sent uncompressed. Set compression to identity, or \(cure)."
  }

  private func send(_ exchange: RunningExchange) async throws(TransportError) -> HTTPAnswer {
    // The timer counts real time, because the server needs real time to answer. The client runs the
    // timer itself, because the carrier may be stuck.
    let timer = Task.detached { [carrier] in
      try await RealTime.sleep(for: exchange.end - RealTime.now)
      carrier.cancel(exchange)
      try await RealTime.sleep(for: Self.grace)
      exchange.giveUp(exchange.lateness)
      carrier.cancel(exchange)
    }
    defer { timer.cancel() }
    let outcome = await withTaskCancellationHandler {
      carrier.start(exchange)
      return await exchange.outcome
    } onCancel: {
      exchange.giveUp(TransportError.cancelled)
      carrier.cancel(exchange)
    }
    return try outcome.get()
  }

  #if !canImport(Darwin)
    private static func check(_ path: String?) throws(CollectorError) {
      guard let path else { return }
      var isFolder: ObjCBool = false
      guard !path.contains("\0"), FileManager.default.isReadableFile(atPath: path),
        FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
      else { throw .unreadable(path: path) }
    }

    /// Whether the key needs a password, for which OpenSSL would ask on the terminal.
    private static func isEncrypted(_ path: String) -> Bool {
      FileManager.default.contents(atPath: path)?.range(of: Data("ENCRYPTED".utf8)) != nil
    }
  #endif
}

extension OutgoingRequest {
  /// The reason why the request cannot be sent; nil if the request is valid.
  fileprivate var fault: String? {
    if method.isEmpty || HeaderFieldRules.token(method).utf8.count < method.utf8.count {
      return "the method is not a single word"
    }
    if method == "HEAD", !body.isEmpty { return "a HEAD request cannot have a body" }
    if let fault = url.fault { return fault }
    for (name, value) in headers {
      guard let fault = HeaderFieldRules.fault(name, value) else { continue }
      let shown = HeaderFieldRules.shown(name).shortened(to: 40)
      return "cannot send the header field “\(shown)”: \(fault)"
    }
    return nil
  }
}

extension URL {
  /// The reason why no request can be sent to the address; nil if the address is valid.
  fileprivate var fault: String? {
    guard ["http", "https"].contains(scheme?.lowercased()), host()?.isEmpty == false,
      absoluteString.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return "the address is not a valid http or https URL" }
    guard user() == nil, password() == nil else {
      return """
        the address contains a user or a password; remove them, and send them in the header field \
        Authorization
        """
    }
    return nil
  }
}
