#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AmbientFields {
  /// What an error says of itself, in OpenTelemetry's names: `exception.type`, `exception.message`
  /// and, if others caused it, `exception.causes`, the nearest first, eight at most.
  ///
  /// The message is the error's description, else what ``LocalizedError`` says, else how Swift
  /// shows the value. Causes are errors among the stored properties and associated values, and
  /// Foundation's underlying errors; one that comes again, in a circle, is listed once. A
  /// description that asks for the fields of its own error is cut off; one that calls itself and
  /// nothing of Ambient's overflows the stack, as it does everywhere.
  public init(_ error: any Error) {
    self = ErrorReading.fields(of: error)
    let causes = ErrorReading.causes(of: error)
    guard !causes.isEmpty else { return }
    self["exception.causes"] = .array(causes.map { .fields(ErrorReading.fields(of: $0)) })
  }
}

extension AmbientValueConvertible where Self == AmbientValue {
  /// An error: its type, its message and its causes; see ``AmbientFields/init(_:)-(Error)``.
  ///
  /// ```swift
  /// Log.warning("tried again", ["attempt": 2, "refused": .error(error)])
  /// ```
  public static func error(_ error: any Error) -> AmbientValue { .fields(AmbientFields(error)) }
}

/// Reads what an error says, however it is made.
private enum ErrorReading {
  /// How many descriptions that ask for the fields of an error are under way here.
  @TaskLocal private static var depth = 0

  static func fields(of error: any Error) -> AmbientFields {
    ["exception.type": typeName(of: error), "exception.message": message(of: error)]
  }

  private static func message(of error: any Error) -> String {
    // The user's code may come back to here, without end.
    guard depth < 4 else { return "(a description that asks for itself)" }
    return $depth.withValue(depth + 1) {
      if !(error is any CustomStringConvertible), let localized = error as? any LocalizedError,
        let description = localized.errorDescription
      {
        return description
      }
      return String(describing: error)
    }
  }

  /// The name with its module, without where a private type stands.
  private static func typeName(of error: any Error) -> String {
    let name = String(reflecting: type(of: error))
    var parts: [Substring] = []
    for part in name.split(separator: ".") where !part.hasPrefix("(unknown context at ") {
      parts.append(part)
    }
    return parts.joined(separator: ".")
  }

  /// What caused the error, breadth first, each object once.
  static func causes(of error: any Error) -> [any Error] {
    var found: [any Error] = [error]
    var seen = Set([error].compactMap(identity))
    var next = 0
    while next < found.count, found.count <= mostCauses {
      for cause in errors(in: found[next], levels: 3) where found.count <= mostCauses {
        if let identity = identity(of: cause), !seen.insert(identity).inserted { continue }
        found.append(cause)
      }
      next += 1
    }
    return Array(found.dropFirst())
  }

  private static let mostCauses = 8

  private static func identity(of error: any Error) -> ObjectIdentifier? {
    type(of: error) is AnyClass ? ObjectIdentifier(error as AnyObject) : nil
  }

  /// The errors among the parts of a value, and among those of its parts.
  private static func errors(in value: Any, levels: Int) -> [any Error] {
    guard levels > 0 else { return [] }
    var found: [any Error] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let parts = mirror {
      for child in parts.children.prefix(16) {
        if child.label == "_nsError" {
          // Foundation's errors that wrap another form of themselves.
          found += errors(in: child.value, levels: levels)
        } else if let error = child.value as? any Error {
          found.append(error)
        } else if let errors = child.value as? [any Error] {
          found += errors
        } else if let information = child.value as? [String: Any] {
          if let error = information["NSUnderlyingError"] as? any Error { found.append(error) }
        } else if [.tuple, .struct, .enum, .optional].contains(
          Mirror(reflecting: child.value).displayStyle)
        {
          found += errors(in: child.value, levels: levels - 1)
        }
      }
      mirror = parts.superclassMirror
    }
    return found
  }
}
