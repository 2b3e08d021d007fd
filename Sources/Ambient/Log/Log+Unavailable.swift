// SPDX-License-Identifier: Apache-2.0

public import AmbientSystem

// Unavailable members that people write first, for example as swift-log has them; see
// AmbientService+Unavailable.swift. The methods of the levels exist for instances, too: without
// them, the compiler's error about a call of an instance would be about a static method.

@available(
  *, unavailable,
  message:
    "write (\"\\(x)\", [\"a\": value], error: e), a value as AmbientValue(describing: x), .error(e), .array([[…]]), .fields([…]), a dictionary as AmbientFields(x)"
)
extension Log {
  public static func log(_: LogLevel, _: Any?, error: Any? = nil) {}
  public static func trace(_: Any?, error: Any? = nil) {}
  public static func debug(_: Any?, error: Any? = nil) {}
  public static func info(_: Any?, error: Any? = nil) {}
  public static func notice(_: Any?, error: Any? = nil) {}
  public static func warning(_: Any?, error: Any? = nil) {}
  public static func error(_: Any?, error: Any? = nil) {}
  public static func error(_: Any?, _: (any Error)?, _: Any? = nil) {}
  public static func critical(_: Any?, error: Any? = nil) {}
  public func log(_: LogLevel, _: Any?, error: Any? = nil) {}
  public func trace(_: Any?, error: Any? = nil) {}
  public func debug(_: Any?, error: Any? = nil) {}
  public func info(_: Any?, error: Any? = nil) {}
  public func notice(_: Any?, error: Any? = nil) {}
  public func warning(_: Any?, error: Any? = nil) {}
  public func error(_: Any?, error: Any? = nil) {}
  public func error(_: Any?, _: (any Error)?, _: Any? = nil) {}
  public func critical(_: Any?, error: Any? = nil) {}
}

@available(*, unavailable, message: "write Log.info(\"\\(x)\") or Log.log(.info, \"\\(x)\")")
extension Log { public static func log(_: Any?) {} }

@available(*, unavailable, message: "write Log.instance.level, Log.instance.accepts(.debug)")
extension AmbientService where Self: Log {
  public static var level: LogLevels {
    get { fatalError() }
    set {}
  }
  public static var isEnabled: Bool { fatalError() }
  public static func accepts(_: LogLevel) -> Bool { true }
  public static func isEnabled(_: LogLevel) -> Bool { true }
  public func isEnabled(_: LogLevel) -> Bool { true }
}

@available(*, unavailable, message: "write Log.withMetadata([\"a\": value]) { … }")
extension Log {
  public static func withMetadata<R>(_: Any?, _: Any?, _: () async throws -> R) -> R {
    fatalError()
  }
  public static func with<R>(_: Any?..., metadata: Any = 0, body: () async throws -> R) -> R {
    fatalError()
  }
}

extension Log {
  @available(*, unavailable, renamed: "warning") public static func warn(_: Any?...) {}
  @available(*, unavailable, renamed: "warning") public func warn(_: Any?...) {}
  @available(*, unavailable, message: "write Log.info(\"…\"), which needs no logger")
  public convenience init(_: Any..., label: Any = 0) { fatalError() }
}

@available(*, unavailable, renamed: "warning")
extension LogLevel { public static var warn: Self { fatalError() } }

@available(*, unavailable, message: "write record.metadata[\"exception.message\"]")
extension LogRecord { public var error: (any Error)? { fatalError() } }

@available(*, unavailable, message: "write FileLog(path: url.path)")
extension FileLog {
  public convenience init(url: URL, level: LogLevels = .info, rotation: FileRotation? = nil) {
    fatalError()
  }
}
