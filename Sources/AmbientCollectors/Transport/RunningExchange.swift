internal import Ambient
internal import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// One request that is under way: collects the answer, and says how it ended, once.
final class RunningExchange: Sendable {
  typealias Outcome = Result<Answer, TransportError>

  private struct State {
    var answer: Answer?
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
  }

  private let state = Guarded(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// How it ended, when it has.
  var outcome: Outcome {
    get async {
      await withCheckedContinuation { continuation in
        let known = state.withLock { state -> Outcome? in
          if state.outcome == nil { state.waiter = continuation }
          return state.outcome
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }

  /// Ends it, unless it has ended.
  func end(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      state.answer = nil
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: outcome)
  }

  /// Notes status and headers.
  func begin(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      headers["\(name)".lowercased()] = "\(value)"
    }
    let answer = Answer(response.statusCode, headers: headers)
    state.withLock { $0.answer = answer }
  }

  /// Takes a part of the body; whether more is wanted.
  func take(_ data: Data) -> Bool {
    let full = state.withLock { state -> Answer? in
      guard var answer = state.answer else { return nil }
      state.answer = nil
      let room = max(0, limit - answer.body.count)
      answer.body.append(contentsOf: data.prefix(room))
      answer.isCut = data.count > room
      if answer.isCut { return answer }
      state.answer = answer
      return nil
    }
    guard let full else { return state.withLock { $0.outcome == nil } }
    end(.success(full))
    return false
  }

  /// Notes that the system is done with it.
  func end(_ error: (any Error)?) {
    guard let error else {
      let answer = state.withLock { $0.answer }
      return end(answer.map { .success($0) } ?? .failure(.noHTTP))
    }
    end(.failure(TransportError(error)))
  }
}

extension TransportError {
  fileprivate static var noHTTP: Self { Self(.unknown, "what was answered is no HTTP") }

  /// Says why in our own words: the system's have the whole address, with its secrets.
  fileprivate init(_ error: any Error) {
    guard let error = error as? URLError else {
      self.init(.unknown, "the network failed: \(type(of: error))")
      return
    }
    switch error.code {
    case .cannotFindHost, .dnsLookupFailed: self.init(.unsent, "the host's name is not known")
    case .cannotConnectToHost: self.init(.unsent, "the connection was refused")
    case .notConnectedToInternet: self.init(.unsent, "there is no network")
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot, .clientCertificateRejected,
      .clientCertificateRequired:
      self.init(.unsent, "no secure connection could be made")
    case .networkConnectionLost: self.init(.unknown, "the connection was lost")
    case .timedOut: self.init(.unknown, "the network took too long")
    // On Linux an answer that does not begin as one of HTTP is told as an address of another kind;
    // addresses of collectors are looked at before.
    case .badServerResponse, .cannotParseResponse, .unsupportedURL: self = .noHTTP
    case let code: self.init(.unknown, "the network failed (URLError \(code.rawValue))")
    }
  }
}
