// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A decoding error as a `ShopProblem`, with the path of the field, such as `promotions[0].end`.
struct DecodingFault {
  let field: String
  let problem: ShopProblem

  var reason: String { problem.description }

  /// Converts an error that was thrown while `data` was decoded.
  init(_ error: any Error, in data: Data) {
    guard let error = error as? DecodingError else {
      field = ""
      problem = .notJSON("\(error)")
      return
    }
    if case .dataCorrupted = error, let reason = FoundationReason.ofJSON(data) {
      field = ""
      problem = .notJSON(reason)
      return
    }
    switch error {
    case .keyNotFound(let key, let context):
      field = Self.path(context.codingPath + [key])
      problem = .missingField
    case .valueNotFound(let type, let context):
      field = Self.path(context.codingPath)
      problem = .wrongType(expected: Self.name(type))
    case .typeMismatch(let type, let context):
      field = Self.path(context.codingPath)
      problem = .wrongType(expected: Self.name(type))
    case .dataCorrupted(let context):
      field = Self.path(context.codingPath)
      problem = Self.problem(context)
    @unknown default:
      field = ""
      problem = .notJSON("\(error)")
    }
  }

  private static func problem(_ context: DecodingError.Context) -> ShopProblem {
    switch context.underlyingError {
    case let error as CalendarError: .calendar(error)
    case let error as MoneyError: .money(error)
    case let error as CheckoutError: .checkout(error)
    case let error as ShopProblem: error
    case FieldFault.unknown(let nearest)?: .unknownField(nearest: nearest)
    case FieldFault.wrongType(let expected)?: .wrongType(expected: expected)
    default: .notJSON(context.debugDescription)
    }
  }

  static func path(_ keys: [any CodingKey]) -> String {
    var path = ""
    for key in keys {
      if let index = key.intValue {
        path += "[\(index)]"
      } else {
        path += (path.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return path
  }

  private static func name(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any ArrayOfValues.Type: "a list"
    case is any DictionaryOfValues.Type: "an object"
    default: "a number"
    }
  }
}

private protocol ArrayOfValues {}
extension Array: ArrayOfValues {}
private protocol DictionaryOfValues {}
extension Dictionary: DictionaryOfValues {}
