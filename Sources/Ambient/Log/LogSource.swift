/// Where in the source a record was logged.
public struct LogSource: Hashable, Sendable {
  /// The module and the file, as `Checkout/Basket.swift`.
  public let fileID: String
  /// The function.
  public let function: String
  /// The line, counted from one.
  public let line: UInt

  /// The module.
  public var module: String { String(fileID.prefix { $0 != "/" }) }

  /// A place in the source.
  @inlinable
  public init(fileID: String, function: String, line: UInt) {
    self.fileID = fileID
    self.function = function
    self.line = line
  }
}
