/// Which field of a shop is wrong, and how.
public struct ShopFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the field, as `promotions[0].end`.
  public let field: String
  /// What is wrong.
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
