// SPDX-License-Identifier: Apache-2.0

internal import AmbientSystem

extension AmbientFields {
  /// The type, the message and the causes of an error as fields.
  ///
  /// The fields are `exception.type` and `exception.message`, which are OpenTelemetry's names, and,
  /// if other errors caused the error, `exception.causes`: at most eight causes, the nearest first.
  /// All fields are public, except values that are marked as private or sensitive.
  ///
  /// The message is the error's description. If the error has no description of its own, the
  /// message is the text of `LocalizedError`. Without such a text, it is Swift's text of the value.
  /// For Foundation's errors, the message has the domain, the code and the text. If an error's own
  /// ``AmbientValueConvertible/ambientValue`` has a private or sensitive part, that value becomes
  /// the message. If Swift's text of the value would show a part of a private type, or if the value
  /// is nested deeper than 16 levels, the whole message is private.
  ///
  /// Causes are the errors among an error's stored properties and associated values, the errors in
  /// lists and in dictionaries with text keys among these, if they contain only errors, and
  /// Foundation's underlying errors. The search looks three levels deep in structures, enumerations
  /// and tuples, not in other objects, at the first 16 members of each value and the first 64
  /// errors of each list or dictionary, then in the causes found; it ends once 64 errors were
  /// found. A cause is left out if the error itself or an earlier cause is the same object, or is a
  /// value of the same type with the same message.
  ///
  /// A description that asks for the fields of its own error is cut off; a description that calls
  /// itself directly overflows the stack, as in any program.
  ///
  /// - Parameter error: The error to describe, in which its causes are found.
  public init(_ error: any Error) {
    let reading = ErrorReading(error)
    self = reading.fields[0]
    guard reading.fields.count > 1 else { return }
    self["exception.causes"] = .array(reading.fields.dropFirst().map { .fields($0) })
  }
}

extension AmbientValueConvertible where Self == AmbientValue {
  /// Returns the type, the message and the causes of an error as fields; see
  /// ``AmbientFields/init(_:)-(Error)``.
  ///
  /// ```swift
  /// Log.warning("tried again", ["attempt": 2, "refused": .error(error)])
  /// ```
  ///
  /// - Parameter error: The error to describe as fields.
  /// - Returns: The fields as one value.
  public static func error(_ error: any Error) -> AmbientValue { .fields(AmbientFields(error)) }
}

/// Reads the fields of an error and of its causes.
private struct ErrorReading {
  /// The fields of the error, followed by the fields of its causes, the nearest cause first.
  private(set) var fields: [AmbientFields] = []
  private var objects: Set<ObjectIdentifier> = []
  private var values: Set<AmbientFields> = []

  private static var mostCauses: Int { 8 }
  /// When this many errors, including repeated ones, were found, the search for causes stops.
  private static var mostErrors: Int { 64 }

  /// Reads the error and its causes breadth first, so that the nearest causes come first.
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

  /// Adds the error's fields, unless they repeat earlier ones. Returns whether to read the error's
  /// causes.
  private mutating func note(_ error: any Error) -> Bool {
    let isObject = type(of: error) is AnyClass
    if isObject, !objects.insert(ObjectIdentifier(error as AnyObject)).inserted { return false }
    let says = Self.fields(of: error)
    if isObject || values.insert(says).inserted { fields.append(says) }
    return true
  }
}

extension ErrorReading {
  /// The nesting depth of error descriptions in this task; a description may itself ask for the
  /// fields of an error.
  @TaskLocal private static var depth = 0

  private static func fields(of error: any Error) -> AmbientFields {
    ["exception.type": typeName(of: error), "exception.message": message(of: error)]
  }

  private static func message(of error: any Error) -> AmbientValue {
    // A description is code of the program. It may ask for the fields of its own error, which would
    // recurse endlessly.
    guard depth < 4 else { return "(no description: it reads the fields of its own error)" }
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

  /// Foundation's text of an error, without the dictionary `UserInfo`; nil if the description has
  /// another form.
  ///
  /// Foundation's form is `Error Domain=D Code=7 "(null)"UserInfo={…}`. The dictionary is left out,
  /// because it holds paths and addresses. The text is parsed, since `FoundationEssentials` has no
  /// `NSError`.
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

  /// The `NSLocalizedDescription` in the dictionary of an `NSError`.
  private static func localizedDescription(in error: any Error) -> String? {
    for child in Mirror(reflecting: error).children {
      let text = (child.value as? [String: Any])?["NSLocalizedDescription"] as? String
      if let text { return text }
    }
    return nil
  }

  /// The type's name with its module, without the `(unknown context at …)` of a private type.
  private static func typeName(of error: any Error) -> String {
    let name = String(reflecting: type(of: error))
    var parts: [Substring] = []
    for part in name.split(separator: ".") where !part.hasPrefix("(unknown context at ") {
      parts.append(part)
    }
    return parts.joined(separator: ".")
  }

  /// The errors among the children of a value and among the children of these children, `levels`
  /// levels deep.
  private static func errors(in value: Any, levels: Int) -> [any Error] {
    guard levels > 0 else { return [] }
    var found: [any Error] = []
    var mirror: Mirror? = Mirror(reflecting: value)
    while let parts = mirror {
      for child in parts.children.prefix(16) {
        if child.label == "_nsError" {
          // Foundation's typed errors wrap an `NSError`.
          found += errors(in: child.value, levels: levels)
        } else if let error = child.value as? any Error {
          found.append(error)
        } else if let errors = child.value as? [any Error] {
          found += errors.prefix(mostErrors)
        } else if let errors = child.value as? [String: any Error] {
          found += errors.keys.sorted().prefix(mostErrors).compactMap { errors[$0] }
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
