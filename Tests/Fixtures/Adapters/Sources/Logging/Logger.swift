/// A stand-in for the part of swift-log's public API that the adapters use, written after its
/// documentation, in the shape of version 1.14.
public struct Logger: Sendable {
  public enum Level: String, Codable, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical
  }

  public typealias Metadata = [String: MetadataValue]

  public enum MetadataValue: Sendable {
    case string(String)
    case stringConvertible(any CustomStringConvertible & Sendable)
    case dictionary(Metadata)
    case array([MetadataValue])
  }

  public struct Message: ExpressibleByStringLiteral, CustomStringConvertible,
    ExpressibleByStringInterpolation, Sendable
  {
    public let description: String

    public init(stringLiteral value: String) { description = value }
  }

  public struct MetadataProvider: Sendable {
    private let provide: @Sendable () -> Metadata

    public init(_ provide: @escaping @Sendable () -> Metadata) { self.provide = provide }

    public func get() -> Metadata { provide() }
  }

  public var handler: any LogHandler

  public init(label: String) { handler = LoggingSystem.make(label) }

  public subscript(metadataKey key: String) -> MetadataValue? {
    get { handler[metadataKey: key] }
    set { handler[metadataKey: key] = newValue }
  }

  public var logLevel: Level {
    get { handler.logLevel }
    set { handler.logLevel = newValue }
  }

  public func log(
    level: Level, _ message: @autoclosure () -> Message, error: (any Error)? = nil,
    metadata: @autoclosure () -> Metadata? = nil, source: @autoclosure () -> String? = nil,
    file: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    guard level >= logLevel else { return }
    handler.log(
      event: LogEvent(
        level: level, message: message(), error: error, metadata: metadata(),
        source: source() ?? String(file.prefix { $0 != "/" }), file: file, function: function,
        line: line))
  }
}

extension Logger.Level: Comparable {
  public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Logger.MetadataValue: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Logger.MetadataValue: CustomStringConvertible {
  public var description: String {
    switch self {
    case .string(let text): text
    case .stringConvertible(let value): value.description
    case .dictionary(let values):
      "\(values.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" })"
    case .array(let values): "\(values)"
    }
  }
}
