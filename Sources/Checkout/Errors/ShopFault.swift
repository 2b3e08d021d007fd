// SPDX-License-Identifier: Apache-2.0

public import Ambient

/// An invalid field of a shop, and the problem in it.
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

/// The error for a file that does not describe a valid shop.
public struct ShopFileError: DescribedError, Hashable {
  /// The name or path of the file, as the caller passed it.
  public let file: String
  /// The path of the field, such as `promotions[0].end`; empty if no single field is invalid.
  public let field: String
  /// The problem in that field.
  public let problem: ShopProblem

  /// The file, the field and the problem: `shop.json: promotions[0].end: …`.
  public var description: String {
    ([file] + (field.isEmpty ? [] : [field]) + ["\(problem)"]).joined(separator: ": ")
  }
}
