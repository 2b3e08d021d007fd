// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || URLSESSION_ON_LINUX
  internal import Ambient
  internal import Foundation

  #if canImport(FoundationNetworking)
    internal import AmbientCollectors
    internal import FoundationNetworking
  #endif

  /// A carrier that uses the system's `URLSession`, without cookies, cache and stored passwords.
  final class URLSessionCarrier: Carrier {
    private let session: URLSession
    private let exchanges = SessionExchanges()

    init() {
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

    func start(_ exchange: RunningExchange) {
      // The exchange is marked as sending now, because URLSession does not report when it begins to
      // send.
      exchange.noteSending()
      let task = session.dataTask(with: URLRequest(exchange))
      exchanges.add(exchange, task)
      task.resume()
      // The exchange may have ended, or passed its time limit, before it had a task to cancel.
      if exchange.hasEnded || exchange.isLate { cancel(exchange) }
    }

    /// Cancels the task of the exchange on the delegate's queue. This queue is serial, so no task
    /// is cancelled while one of its delegate methods runs.
    func cancel(_ exchange: RunningExchange) {
      guard let task = exchanges.task(of: exchange) else { return }
      session.delegateQueue.addOperation { task.cancel() }
    }
  }

  extension URLRequest {
    fileprivate init(_ exchange: RunningExchange) {
      let request = exchange.request
      self.init(url: request.url)
      httpMethod = request.method
      httpShouldHandleCookies = false
      // URLSession's time limit is later than `exchange.end`, so that `CollectorClient` ends a late
      // exchange first, at the exact time.
      timeoutInterval = max(1, (exchange.end - RealTime.now) / .seconds(1)) + 60
      // Without this header field, URLSession would ask for gzip and decompress the answer. A short
      // compressed answer could then exceed `limits.answerBytes`.
      setValue("identity", forHTTPHeaderField: "Accept-Encoding")
      for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
      // The body is set even if it is empty, because a request without a body has no
      // `Content-Length`.
      httpBody = Data(request.body)
    }
  }

  /// The exchanges of a session, and their answers so far.
  private final class SessionExchanges: NSObject, URLSessionDataDelegate {
    private struct Entry {
      let exchange: RunningExchange
      let task: URLSessionTask
      var answer: HTTPAnswer?
    }

    private let entries = Guarded<[Int: Entry]>([:])

    func add(_ exchange: RunningExchange, _ task: URLSessionTask) {
      entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange, task: task) }
    }

    func task(of exchange: RunningExchange) -> URLSessionTask? {
      entries.withLock { $0.values.first { $0.exchange === exchange }?.task }
    }

    private func begin(_ response: URLResponse, _ task: URLSessionTask) {
      let answer = HTTPAnswer(response)
      entries.withLock { $0[task.taskIdentifier]?.answer = answer }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      #if canImport(FoundationNetworking)
        // On Linux, Foundation traps if the completion handler is called for the redirect of a
        // cancelled task.
        guard task.state == .running else { return }
      #endif
      // The redirect is not followed here, because `CollectorClient` decides about redirects, and
      // because the system would follow it without the body of the request.
      begin(response, task)
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      begin(response, dataTask)
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      let (exchange, full) = entries.withLock { entries -> (RunningExchange?, HTTPAnswer?) in
        guard let entry = entries[dataTask.taskIdentifier] else { return (nil, nil) }
        let room = max(0, entry.exchange.limits.answerBytes - (entry.answer?.body.count ?? 0))
        entries[dataTask.taskIdentifier]?.answer?.body.append(contentsOf: data.prefix(room))
        entries[dataTask.taskIdentifier]?.answer?.isCut = data.count > room
        return (entry.exchange, data.count > room ? entries[dataTask.taskIdentifier]?.answer : nil)
      }
      if let full { exchange?.end(.success(full)) }
      if exchange?.hasEnded == true { dataTask.cancel() }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      guard let entry = entries.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
        return
      }
      let scheme = entry.exchange.request.url.scheme
      // On Linux, Foundation calls no other delegate method for a redirect that has no `Location`
      // field, so `entry.answer` is nil, and the answer is taken from the task.
      let answer = entry.answer ?? task.response.flatMap { HTTPAnswer($0) }
      if error != nil, entry.exchange.isLate {
        // The task was cancelled because it was late. The outcome is unknown, because the server
        // may have received the request.
        let error = TransportError(.unknown, entry.exchange.lateness)
        entry.exchange.end(.broken(error, answer, isUndecided: true))
      } else if let error {
        entry.exchange.end(.broken(TransportError(error, scheme: scheme), answer))
      } else {
        entry.exchange.end(answer.map { .success($0) } ?? .failure(.noHTTP(scheme: scheme)))
      }
    }
  }

  extension HTTPAnswer {
    /// Creates an answer with the status and the header fields of a response. Returns nil if the
    /// response is not an HTTP response.
    fileprivate init?(_ response: URLResponse) {
      guard let response = response as? HTTPURLResponse else { return nil }
      self.init(response.statusCode)
      for (name, value) in response.allHeaderFields {
        headers["\(name)".lowercased()] = "\(value)"
      }
    }
  }
#endif
