public import Ambient

/// A wrong field of a shop, and the fault.
public struct ShopFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the field, such as `promotions[0].end`.
  public let field: String
  /// The problem in that field.
  public let problem: ShopProblem

  init(_ field: String, _ problem: ShopProblem) {
    self.field = field
    self.problem = problem
  }

  static func at<R>(
    _ field: String, _ body: () throws(CalendarError) -> R
  ) throws(ShopFault) -> R {
    do throws(CalendarError) { return try body() } catch {
      throw ShopFault(field, .calendar(error))
    }
  }

  /// The field and the problem.
  public var description: String { "\(field): \(problem)" }
}

/// The error of a file that does not describe a shop.
public struct ShopFileError: DescribedError, Hashable {
  /// The file as it was given.
  public let file: String
  /// The path of the field, such as `promotions[0].end`; empty if the whole file is wrong.
  public let field: String
  /// The problem in that field.
  public let problem: ShopProblem

  /// The file, the field and the problem: `shop.json: promotions[0].end: …`.
  public var description: String {
    ([file] + (field.isEmpty ? [] : [field]) + ["\(problem)"]).joined(separator: ": ")
  }
}
