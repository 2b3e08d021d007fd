internal import Ambient
internal import Foundation

/// The network, as collectors use it: HTTP/1.1 without cookies, caches and stored passwords.
///
/// libcurl carries requests on Linux, the system's URLSession on Apple's systems. libcurl is loaded
/// when the first client is made; no development package is needed. Each client has its own
/// connections, and on Linux its own thread, from its first request on.
///
/// A redirect is followed only to the same scheme, host and port, with method, headers and body
/// unchanged, and at most five times; any other is returned as the answer. At most 64 KiB of an
/// answer's header are read, and of its body as much as ``ExchangeLimits`` allow; nothing is
/// decompressed. Certificates are always checked. Proxies come from the usual variables
/// (`https_proxy`, `no_proxy`) on Linux, from the system's settings elsewhere. Virtual time waits
/// for an exchange, whose limit counts in real time. Safe to use from any thread.
public final class HTTPClient: Transport {
  private let carrier: any Carrier
  private static var mostRedirects: Int { 5 }
  private static var redirects: [Int] { [301, 302, 303, 307, 308] }
  /// Time for the carrier to end at the limit with what it has received; after it, a stuck carrier
  /// is given up.
  private static var grace: Duration { .milliseconds(100) }

  /// A client with connections of its own.
  ///
  /// - Parameter authorities: A file of the certificates (PEM) that are trusted in place of the
  ///   system's; nil for the system's.
  /// - Throws: ``HTTPClientError`` if this system or this program has no HTTP.
  public convenience init(authorities: String? = nil) throws(HTTPClientError) {
    #if canImport(Darwin)
      guard authorities == nil else { throw .authoritiesUnsupported }
      self.init(URLSessionCarrier())
    #else
      self.init(CurlCarrier(try CurlLibrary.system(), authorities: try Self.file(authorities)))
    #endif
  }

  package init(_ carrier: any Carrier) { self.carrier = carrier }

  /// Sends the request, and waits for the whole answer, as long as the limit allows.
  ///
  /// - Throws: ``TransportError`` if there is no answer, if the task was cancelled, or if the
  ///   request cannot be sent: a method or a header field with a line break in it, an address that
  ///   is not of http or https.
  public func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> Answer {
    if let fault = request.fault { throw TransportError(.unsent, fault) }
    return try await Time.hold { () async throws(TransportError) in
      var redirects = 0
      var request = request
      let end = ContinuousClock.now + limits.duration
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
  }

  private func send(_ exchange: RunningExchange) async throws(TransportError) -> Answer {
    // Real time, as the server takes it; a timer of the client's, since the carrier may be stuck.
    let timer = Task.detached { [carrier] in
      try await ContinuousClock().sleep(until: exchange.end + Self.grace)
      exchange.giveUp(exchange.lateness)
      carrier.cancel(exchange)
    }
    defer { timer.cancel() }
    let outcome = await withTaskCancellationHandler {
      carrier.start(exchange)
      return await exchange.outcome
    } onCancel: {
      exchange.giveUp("the exchange was given up")
      carrier.cancel(exchange)
    }
    return try outcome.get()
  }

  #if !canImport(Darwin)
    private static func file(_ path: String?) throws(HTTPClientError) -> String? {
      guard let path else { return nil }
      var isFolder: ObjCBool = false
      guard !path.contains("\0"), FileManager.default.isReadableFile(atPath: path),
        FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
      else { throw .authorities(path: path) }
      return path
    }
  #endif
}

extension OutgoingRequest {
  /// Why it cannot be sent; nil if it can.
  fileprivate var fault: String? {
    if method.isEmpty || HeaderField.token(method).utf8.count < method.utf8.count {
      return "a request's method is one word"
    }
    if method == "HEAD", !body.isEmpty { return "a request of HEAD has no body" }
    if let fault = url.fault { return fault }
    for (name, value) in headers {
      guard let fault = HeaderField.fault(name, value) else { continue }
      return "the header field “\(HeaderField.token(name).prefix(40))” cannot be sent: \(fault)"
    }
    return nil
  }
}

extension URL {
  /// Why nothing can be sent there; nil if it can.
  fileprivate var fault: String? {
    guard ["http", "https"].contains(scheme?.lowercased()), host()?.isEmpty == false,
      absoluteString.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    else { return "the address is none of http or https" }
    guard user() == nil, password() == nil else {
      return "the address has a user; a header field Authorization says who asks"
    }
    return nil
  }
}
