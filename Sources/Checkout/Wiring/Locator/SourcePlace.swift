/// A line of the program's source.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  private let text: StaticString
  /// The number of the line.
  public let line: UInt

  /// That line of that file.
  public init(fileID: StaticString, line: UInt) {
    text = fileID
    self.line = line
  }

  /// The module and the file, as `Shop/main.swift`.
  public var fileID: String { text.description }

  /// The file and the line, as `Shop/main.swift:12`.
  public var description: String { "\(text):\(line)" }

  /// Whether both are the same line.
  public static func == (left: SourcePlace, right: SourcePlace) -> Bool {
    left.line == right.line && left.fileID == right.fileID
  }

  /// Hashes the file and the line.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(fileID)
    hasher.combine(line)
  }
}
