public import Ambient

/// Why a file is no shop: which file, which field, and what is wrong with it.
public struct ShopFileError: DescribedError, Hashable {
  /// The file as it was given.
  public let file: String
  /// The path of the field, as `promotions[0].end`; empty if the whole file is wrong.
  public let field: String
  /// What is wrong.
  public let problem: ShopProblem

  /// The file, the field and the problem: `shop.json: promotions[0].end: …`.
  public var description: String {
    ([file] + (field.isEmpty ? [] : [field]) + ["\(problem)"]).joined(separator: ": ")
  }
}
