// SPDX-License-Identifier: Apache-2.0

/// The products of a shop, by SKU.
public struct Catalogue: Hashable, Sendable {
  /// The products, in the order in which the shop shows them.
  public let products: [Product]
  private let places: [SKU: Int]

  /// Creates the catalogue of these products; if two have the same SKU, look-ups find the first.
  ///
  /// - Parameter products: The products, in the order in which a shop shows them.
  public init(_ products: [Product]) {
    self.products = products
    places = Dictionary(
      products.indices.map { (products[$0].sku, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The product of that SKU, or nil if there is none.
  ///
  /// - Parameter sku: The SKU, which is case-sensitive.
  public subscript(sku: SKU) -> Product? { places[sku].map { products[$0] } }

  /// The product of that SKU.
  ///
  /// - Parameter sku: The SKU, which is case-sensitive.
  /// - Returns: The product with exactly this SKU.
  /// - Throws: ``CheckoutError/unknownSKU(_:nearest:)``, with the nearest known SKU.
  public func product(_ sku: SKU) throws(CheckoutError) -> Product {
    guard let product = self[sku] else {
      let nearest = NearestWord.find(for: sku.rawValue, in: products.lazy.map(\.sku.rawValue))
      throw .unknownSKU(sku, nearest: nearest.map { SKU($0) })
    }
    return product
  }

  /// The products of the lines, in the order of the lines.
  func products(of lines: [BasketLine]) throws(CheckoutError) -> [Product] {
    try lines.map { line throws(CheckoutError) in try product(line.sku) }
  }
}
