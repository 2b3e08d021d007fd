/// A stand-in, as `Logger` is: from version 1.13 on, what a package says of a metadata value.
extension Logger {
  public struct MetadataValueAttributes: Sendable, Equatable, ExpressibleByArrayLiteral {
    public protocol Attribute: Sendable, RawRepresentable where RawValue == Int64 {}

    private var entries: [ObjectIdentifier: Int64] = [:]

    public init() {}

    public init(arrayLiteral elements: any Attribute...) {
      for element in elements { entries[ObjectIdentifier(type(of: element))] = element.rawValue }
    }

    public subscript<A: Attribute>(attribute: A.Type) -> A? {
      get { entries[ObjectIdentifier(attribute)].flatMap(A.init(rawValue:)) }
      set { entries[ObjectIdentifier(attribute)] = newValue?.rawValue }
    }
  }

  final class Carrier: CustomStringConvertible, Sendable {
    let description: String
    let attributes: MetadataValueAttributes

    init(_ description: String, _ attributes: MetadataValueAttributes) {
      self.description = description
      self.attributes = attributes
    }
  }
}

extension Logger.MetadataValue {
  public var attributes: Logger.MetadataValueAttributes {
    guard case .stringConvertible(let value) = self else { return [] }
    return (value as? Logger.Carrier)?.attributes ?? []
  }

  public static func attributed(
    _ value: some CustomStringConvertible & Sendable, attributes: Logger.MetadataValueAttributes
  ) -> Self {
    .stringConvertible(Logger.Carrier(String(describing: value), attributes))
  }
}
