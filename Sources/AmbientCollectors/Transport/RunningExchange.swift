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
  private let scheme: String?

  /// - Parameter scheme: That of the address, for what is said of trouble.
  init(limit: Int, scheme: String?) {
    self.limit = limit
    self.scheme = scheme
  }

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
    guard let answer = Answer(response) else { return }
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
  ///
  /// - Parameter response: What it knows of an answer: on Linux it tells of a redirect without a
  ///   `Location` only here.
  func end(_ error: (any Error)?, _ response: URLResponse?) {
    if let error { return end(.failure(TransportError(error, scheme: scheme))) }
    let answer = state.withLock { $0.answer } ?? response.flatMap { Answer($0) }
    end(answer.map { .success($0) } ?? .failure(.noHTTP(scheme: scheme)))
  }
}

extension Answer {
  /// Status and headers; nil if it is none of HTTP.
  fileprivate init?(_ response: URLResponse) {
    guard let response = response as? HTTPURLResponse else { return nil }
    self.init(response.statusCode)
    for (name, value) in response.allHeaderFields {
      headers["\(name)".lowercased()] = "\(value)"
    }
  }
}
