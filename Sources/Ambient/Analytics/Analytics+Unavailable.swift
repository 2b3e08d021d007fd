// SPDX-License-Identifier: Apache-2.0

// Unavailable members that people write first, for example as Segment's and Google's libraries have
// them; see AmbientService+Unavailable.swift. An alias has no label that the compiler could correct
// to `previousID`, since that would join the identities the wrong way round.

@available(
  *, unavailable,
  message:
    "write track(\"name\", [\"a\": value]) or track(Ambient.Event(…)), a value as AmbientValue(describing: x), .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)"
)
extension Analytics {
  public static func track(_: Any?) {}
  public func track(_: Any?) {}
  public static func logEvent(_: Any?, parameters: Any? = nil) {}
  public static func screen(_: Any?..., title: Any? = nil, properties: Any? = nil) {}
  public static func page(_: Any?..., title: Any? = nil, properties: Any? = nil) {}
  public static func group(_: Any?..., groupId: Any? = nil, traits: Any? = nil) {}
}

@available(
  *, unavailable,
  message: "write (\"\\(id)\", [\"plan\": value]), a value as AmbientValue(describing: x)"
)
extension Analytics { public static func identify(_: Any?) {} }

@available(
  *, unavailable,
  message: "write (\"\\(id)\", [\"plan\": value]), a value as AmbientValue(describing: x)"
)
extension AnalyticsUser {
  public init(_: Any?) { fatalError() }
  public init(id: Any?, traits: Any? = nil) { fatalError() }
  public init(id: Any?, _: Any?) { fatalError() }
  public init(_: Any?, traits: Any?) { fatalError() }
}

@available(*, unavailable, message: "write Analytics.instance.through(.sampling(0.1))")
extension Analytics { public func sampled(_: Double) -> Analytics { fatalError() } }

@available(*, unavailable, message: "write event.event.name, event.event.properties")
extension TrackedEvent {
  public var name: String { fatalError() }
  public var properties: AmbientFields { fatalError() }
}

@available(*, unavailable, message: "write Analytics.withUser(AnalyticsUser(id, traits)) { … }")
extension Analytics {
  public static func withUser<R>(_: Any?, _: Any?, _: () async throws -> R) -> R { fatalError() }
  public static func withUser<R>(_: Any?, traits: Any, _: () async throws -> R) -> R {
    fatalError()
  }
}

@available(
  *, unavailable,
  message: "write Consent([.analytics: .denied]), for a queue or the stage .granted(consent, for:)"
)
extension Analytics {
  public static var consent: ConsentStatus {
    get { fatalError() }
    set {}
  }
}

@available(*, unavailable, message: "write Analytics.alias(newID, previousID: …)")
extension Analytics {
  public static func alias(
    _: Any?..., newID: Any = 0, newId: Any = 0, from: Any = 0, to: Any = 0, previousID: Any = 0,
    userID: Any = 0
  ) {}
}
