public import Foundation

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A basket service that is reached by HTTP: `GET` and `PUT` of JSON at `…/baskets/ID`.
///
/// `GET` answers 200 with a basket, or 404. `PUT` answers 200 with the basket that is kept.
public struct HTTPBasketService: BasketService {
  private let url: URL
  private let timeout: TimeInterval

  /// The service below that address; an answer is waited for that many seconds.
  public init(url: URL, timeout: TimeInterval = 10) {
    self.url = url
    self.timeout = timeout
  }

  /// Asks for the basket of that identity.
  public func fetch(_ id: UUID) async throws(BasketServiceError) -> Basket? {
    let (status, data) = try await send(request(id))
    if status == 404 { return nil }
    return try basket(id, status, data)
  }

  /// Offers the basket.
  public func push(_ basket: Basket) async throws(BasketServiceError) -> Basket {
    var request = request(basket.id)
    request.httpMethod = "PUT"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    do { request.httpBody = try JSONEncoder().encode(basket) } catch {
      throw .badAnswer(field: "", reason: "\(error)")
    }
    let (status, data) = try await send(request)
    return try self.basket(basket.id, status, data)
  }

  private func request(_ id: UUID) -> URLRequest {
    let address = url.appending(path: "baskets").appending(path: id.uuidString)
    return URLRequest(
      url: address, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: timeout)
  }

  private func send(_ request: URLRequest) async throws(BasketServiceError) -> (Int, Data) {
    do {
      let (data, response) = try await URLSession.shared.data(for: request)
      return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    } catch {
      throw .unreachable(error.localizedDescription)
    }
  }

  private func basket(
    _ id: UUID, _ status: Int, _ data: Data
  ) throws(BasketServiceError) -> Basket {
    guard (200..<300).contains(status) else { throw .status(status) }
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
