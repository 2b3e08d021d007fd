internal import AmbientHTTP
public import Foundation

/// A basket service over HTTP: `GET` and `PUT` of JSON at `…/baskets/ID`.
///
/// The server answers `GET` with 200 and a basket, or with 404. A `PUT` request has the header
/// field `If-Match` with the revision that it replaces, such as `"7"`, or `If-None-Match: *` if the
/// server has no basket yet. The server answers `PUT` in one of three ways: with 200 and all fields
/// of the stored basket; with 204, if it has stored the sent basket unchanged; or with 412, if it
/// has another revision, which this type then fetches with `GET`.
public struct HTTPBasketService: BasketService {
  private let url: URL
  private let limits: ExchangeLimits
  private let client: Result<HTTPClient, HTTPClientError>

  /// Creates a service at that address. One call, including a second request after a conflict, may
  /// take `timeout` seconds; an answer may have up to 256 KiB.
  ///
  /// - Parameters:
  ///   - url: The address before `baskets/ID`, with http or https.
  ///   - timeout: The limit of a call in seconds. A negative limit counts as zero, and a limit of
  ///     more than ten days counts as ten days.
  public init(url: URL, timeout: TimeInterval = 10) {
    self.url = url
    // NaN counts as infinity, which is then clamped to ten days.
    let seconds = timeout.isNaN ? .infinity : timeout
    limits = ExchangeLimits(
      duration: .seconds(min(max(0, seconds), 864_000)), answerBytes: 1 << 18)
    client = Result { () throws(HTTPClientError) in try HTTPClient() }
  }

  /// Fetches the basket of that identity.
  ///
  /// - Parameter id: The identity, which is the last part of the requested address.
  /// - Returns: The basket of the answer; nil for 404.
  /// - Throws: ``BasketServiceError`` for no answer, another status, or a body that is no basket.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    try await fetch(id, limits)
  }

  /// Sends the basket with `PUT`. If the server answers 412, because it has another revision, this
  /// fetches the server's basket.
  ///
  /// - Parameters:
  ///   - basket: The basket, which is sent as JSON.
  ///   - revision: The revision for `If-Match`; nil for `If-None-Match: *`.
  /// - Returns: The basket that the server has afterwards; nil if it has none.
  /// - Throws: ``BasketServiceError`` for no answer, another status, or a body that is no basket.
  public func push(
    _ basket: Basket, replacing revision: Int?
  ) async throws(BasketServiceError) -> Basket? {
    let body: Data
    do { body = try JSONEncoder().encode(basket) } catch {
      throw .badAnswer(field: "", reason: "\(error)")
    }
    let condition = revision.map { ("If-Match", "\"\($0)\"") } ?? ("If-None-Match", "*")
    let request = OutgoingRequest(
      "PUT", address(basket.id),
      headers: ["Content-Type": "application/json", condition.0: condition.1], body: Array(body))
    let end = ContinuousClock.now + limits.duration
    let answer = try await send(request, limits)
    switch answer.status {
    case 204: return basket
    case 412:
      var rest = limits
      rest.duration = ContinuousClock.now.duration(to: end)
      return try await fetch(basket.id, rest)
    default: return try self.basket(basket.id, answer)
    }
  }

  private func fetch(
    _ id: UUID, _ limits: ExchangeLimits
  ) async throws(BasketServiceError) -> Basket? {
    let answer = try await send(OutgoingRequest("GET", address(id), body: []), limits)
    return answer.status == 404 ? nil : try basket(id, answer)
  }

  private func address(_ id: UUID) -> URL {
    url.appending(path: "baskets").appending(path: id.uuidString)
  }

  private func send(
    _ request: OutgoingRequest, _ limits: ExchangeLimits
  ) async throws(BasketServiceError) -> HTTPAnswer {
    do { return try await client.get().exchange(request, limits) } catch {
      throw .unreachable("\(error)")
    }
  }

  private func basket(_ id: UUID, _ answer: HTTPAnswer) throws(BasketServiceError) -> Basket {
    let data = Data(answer.body)
    guard (200..<300).contains(answer.status) else { throw .status(answer.status) }
    guard !answer.isCut else {
      throw .badAnswer(field: "", reason: "is longer than \(limits.answerBytes) bytes")
    }
    let basket: Basket
    do { basket = try JSONDecoder().decode(Basket.self, from: data) } catch {
      let fault = DecodingFault(error, in: data)
      throw .badAnswer(field: fault.field, reason: fault.reason)
    }
    guard basket.id == id else {
      throw .badAnswer(field: "id", reason: "is that of another basket")
    }
    return basket
  }
}
