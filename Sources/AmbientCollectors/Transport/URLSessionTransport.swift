internal import Ambient
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The network, by the system's `URLSession`: no cookies, no cache, no stored passwords.
///
/// A redirect is followed only to the same scheme, host and port, with method, headers and body as
/// they were, and five times at most; any other is the answer. Virtual time waits for an exchange,
/// whose limit is then in real time.
public final class URLSessionTransport: Transport {
  private let session: URLSession
  private let exchanges = RunningExchanges()
  private static var mostRedirects: Int { 5 }

  /// A transport with connections of its own.
  public init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.httpCookieAcceptPolicy = .never
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends the request, and waits for the whole answer, as long as the limit allows.
  public func exchange(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(TransportError) -> Answer {
    try await Time.hold { () async throws(TransportError) in
      var redirects = 0
      var request = request
      let end = ContinuousClock.now + limits.duration
      while true {
        var answer = try await send(request, limits, end)
        guard (300..<400).contains(answer.status), let location = answer.headers["location"],
          let target = URL(string: location, relativeTo: request.url),
          target.hasOrigin(of: request.url)
        else { return answer }
        guard redirects < Self.mostRedirects else {
          answer.isRedirectedTooOften = true
          return answer
        }
        redirects += 1
        request.url = target.absoluteURL
      }
    }
  }

  private func send(
    _ request: OutgoingRequest, _ limits: ExchangeLimits, _ end: ContinuousClock.Instant
  ) async throws(TransportError) -> Answer {
    let exchange = RunningExchange(limit: limits.answerBytes, scheme: request.url.scheme)
    let task = session.dataTask(with: URLRequest(request, until: end))
    exchanges.add(exchange, task)
    // Real time, since a server is as slow as it is.
    let timer = Task.detached {
      try await ContinuousClock().sleep(until: end)
      exchange.end(.failure(TransportError(.unknown, "no whole answer within \(limits.duration)")))
      self.cancel(task)
    }
    let result = await withTaskCancellationHandler {
      task.resume()
      return await exchange.outcome
    } onCancel: {
      exchange.end(.failure(TransportError(.unknown, "the exchange was given up")))
      cancel(task)
    }
    timer.cancel()
    return try result.get()
  }

  /// Cancels the task in turn with what its delegate is told, which must not answer for one that
  /// was cancelled.
  private func cancel(_ task: URLSessionTask) {
    session.delegateQueue.addOperation { task.cancel() }
  }
}

extension URLRequest {
  fileprivate init(_ request: OutgoingRequest, until end: ContinuousClock.Instant) {
    self.init(url: request.url)
    httpMethod = request.method
    httpShouldHandleCookies = false
    // Later than our own limit, which is exact.
    timeoutInterval = max(1, (end - ContinuousClock.now) / .seconds(1)) + 60
    for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
    // Only a body has a length in the request.
    httpBody = Data(request.body)
  }
}

/// Tells the exchanges of a session what becomes of them.
private final class RunningExchanges: NSObject, URLSessionDataDelegate {
  private let running = Guarded<[Int: RunningExchange]>([:])

  func add(_ exchange: RunningExchange, _ task: URLSessionTask) {
    running.withLock { $0[task.taskIdentifier] = exchange }
  }

  private func exchange(of task: URLSessionTask) -> RunningExchange? {
    running.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // On Linux Foundation traps when it hears of a redirect of a task that was cancelled meanwhile.
    guard task.state == .running else { return }
    // The answer itself is looked at; the system would drop the body of a request.
    exchange(of: task)?.begin(response)
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    exchange(of: dataTask)?.begin(response)
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    if exchange(of: dataTask)?.take(data) == false { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let ended = running.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    ended?.end(error, task.response)
  }
}
