/// A place in the source: who called.
public struct Caller: Hashable, Sendable, CustomStringConvertible {
  /// The module and the file, as `Checkout/Basket.swift`.
  public let fileID: StaticString
  /// The line, counted from one; zero if it is not known.
  public let line: UInt

  /// A place in the source.
  public init(fileID: StaticString, line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// The file and the line, as `Checkout/Basket.swift:42`.
  public var description: String { line == 0 ? "\(fileID)" : "\(fileID):\(line)" }

  /// Whether both are the same line of the same file.
  public static func == (left: Caller, right: Caller) -> Bool {
    left.line == right.line && left.fileID.description == right.fileID.description
  }

  /// Hashes the file and the line.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID.description)
    hasher.combine(line)
  }
}
