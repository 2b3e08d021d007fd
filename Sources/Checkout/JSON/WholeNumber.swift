internal import Foundation

/// A whole number in a file; one that is none is an error that keeps its place in the file.
struct WholeNumber: Decodable {
  let value: Int

  init(from decoder: any Decoder) throws {
    value = try decoder.value { (number: Decimal) throws(ShopProblem) in
      guard let value = Int(number.description) else {
        throw .wrongType(expected: "a whole number")
      }
      return value
    }
  }
}
