#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AmbientFields {
  /// What an error says of itself, in OpenTelemetry's names: `exception.type`, `exception.message`
  /// and, if others caused it, `exception.causes`, the nearest first, eight at most. All of it is
  /// public, but for what is marked.
  ///
  /// The message is the error's description, else what ``LocalizedError`` says, else how Swift
  /// shows the value; of Foundation's errors, domain, code and text. An error that is private by
  /// its ``AmbientValueConvertible/ambientValue`` is hidden as that. Causes are errors among the
  /// stored properties and associated values, in lists and dictionaries there, and Foundation's
  /// underlying errors. One that comes again is listed once: the same object, or a value of the
  /// same type and message. A description that asks for the fields of its own error is cut off; one
  /// that calls itself and nothing of Ambient's overflows the stack, as it does everywhere.
  public init(_ error: any Error) {
    let reading = ErrorReading(error)
    self = reading.fields[0]
    guard reading.fields.count > 1 else { return }
    self["exception.causes"] = .array(reading.fields.dropFirst().map { .fields($0) })
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

/// What an error and its causes say, however they are made.
private struct ErrorReading {
  /// What the error says, then its causes, the nearest first.
  private(set) var fields: [AmbientFields] = []
  private var objects: Set<ObjectIdentifier> = []
  private var values: Set<AmbientFields> = []

  private static var mostCauses: Int { 8 }
  /// A chain of causes that say the same is followed so far.
  private static var mostErrors: Int { 64 }

  /// Reads breadth first.
  init(_ error: any Error) {
    var errors = [error]
    var next = 0
    while next < errors.count, fields.count <= Self.mostCauses {
      let error = errors[next]
      next += 1
      guard note(error), errors.count < Self.mostErrors else { continue }
      errors += Self.errors(in: error, levels: 3)
    }
  }

  /// Notes what the error says, if it does not come again; whether to look for its causes.
  private mutating func note(_ error: any Error) -> Bool {
    let isObject = type(of: error) is AnyClass
    if isObject, !objects.insert(ObjectIdentifier(error as AnyObject)).inserted { return false }
    let says = Self.fields(of: error)
    if isObject || values.insert(says).inserted { fields.append(says) }
    return true
  }
}

extension ErrorReading {
  /// How many descriptions that ask for the fields of an error are under way here.
  @TaskLocal private static var depth = 0

  private static func fields(of error: any Error) -> AmbientFields {
    ["exception.type": typeName(of: error), "exception.message": message(of: error)]
  }

  private static func message(of error: any Error) -> AmbientValue {
    // The user's code may come back to here, without end.
    guard depth < 4 else { return "(a description that asks for itself)" }
    return $depth.withValue(depth + 1) {
      if let own = AmbientValue.marked(error) { return own }
      if !(error is any CustomStringConvertible), let localized = error as? any LocalizedError,
        let description = localized.errorDescription
      {
        return .string(description)
      }
      let description = String(describing: error)
      return .string(foundationMessage(description, of: error) ?? description)
    }
  }

  /// Of `Error Domain=D Code=7 "(null)"UserInfo={…}`, as Foundation describes its errors, the part
  /// before the dictionary, which has paths and addresses; nil for other descriptions.
  ///
  /// By the text, as Foundation itself is not imported: `FoundationEssentials` has no `NSError`.
  private static func foundationMessage(_ description: String, of error: any Error) -> String? {
    guard description.hasPrefix("Error Domain="), let end = description.firstRange(of: "UserInfo={")
    else { return nil }
    var head = description[..<end.lowerBound]
    while head.last == " " { head.removeLast() }
    guard head.hasSuffix("\"(null)\""), let text = localizedDescription(in: error) else {
      return String(head)
    }
    return head.dropLast("\"(null)\"".count) + "\"\(text)\""
  }

  /// What an `NSError` was given as its description.
  private static func localizedDescription(in error: any Error) -> String? {
    for child in Mirror(reflecting: error).children {
      let text = (child.value as? [String: Any])?["NSLocalizedDescription"] as? String
      if let text { return text }
    }
    return nil
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
          found += errors.prefix(mostErrors)
        } else if let errors = child.value as? [String: any Error] {
          found += errors.sorted { $0.key < $1.key }.prefix(mostErrors).map(\.value)
        } else if let information = child.value as? [String: Any] {
          if let error = information["NSUnderlyingError"] as? any Error { found.append(error) }
          let more = information["NSMultipleUnderlyingErrorsKey"] as? [any Error] ?? []
          found += more.prefix(mostErrors)
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
