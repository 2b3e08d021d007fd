internal import AmbientHTTP
public import Foundation

/// A basket service that is reached by HTTP: `GET` and `PUT` of JSON at `…/baskets/ID`.
///
/// `GET` answers 200 with a basket, or 404. `PUT` answers 200 with the basket that is kept.
public struct HTTPBasketService: BasketService {
  private let url: URL
  private let limits: ExchangeLimits
  private let client: Result<HTTPClient, HTTPClientError>

  /// The service below that address; a whole answer, of 1 MiB at most, is waited for that many
  /// seconds.
  public init(url: URL, timeout: TimeInterval = 10) {
    self.url = url
    // What is no number of seconds has no limit but the client's own.
    let seconds = timeout.isNaN ? .infinity : timeout
    limits = ExchangeLimits(
      duration: .seconds(min(max(0, seconds), 864_000)), answerBytes: 1 << 20)
    client = Result { () throws(HTTPClientError) in try HTTPClient() }
  }

  /// Asks for the basket of that identity.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    let answer = try await send(OutgoingRequest("GET", address(id), body: []))
    if answer.status == 404 { return nil }
    return try basket(id, answer)
  }

  /// Offers the basket.
  public func push(_ basket: Basket) async throws(BasketServiceError) -> Basket {
    let body: Data
    do { body = try JSONEncoder().encode(basket) } catch {
      throw .badAnswer(field: "", reason: "\(error)")
    }
    let request = OutgoingRequest(
      "PUT", address(basket.id), headers: ["Content-Type": "application/json"], body: Array(body))
    return try self.basket(basket.id, await send(request))
  }

  private func address(_ id: UUID) -> URL {
    url.appending(path: "baskets").appending(path: id.uuidString)
  }

  private func send(_ request: OutgoingRequest) async throws(BasketServiceError) -> Answer {
    do { return try await client.get().exchange(request, limits) } catch {
      throw .unreachable("\(error)")
    }
  }

  private func basket(_ id: UUID, _ answer: Answer) throws(BasketServiceError) -> Basket {
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
