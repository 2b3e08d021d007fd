// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
  public import Testing

  // Unavailable members that people write first.

  @available(
    *, unavailable,
    message:
      "write .frozen(at: \"2026-11-27T00:00:00Z\"), .virtualTime(from: \"2026-11-27T00:00:00Z\")"
  )
  extension Trait where Self == AmbientTrait {
    public static var frozen: Self { fatalError() }
    public static var time: Self { fatalError() }
    public static var virtualTime: Self { fatalError() }
    public static func frozen(_: Any..., to: Any = 0) -> Self { fatalError() }
    public static func virtualTime(_: Any..., at: Any = 0) -> Self { fatalError() }
    public static func virtual(_: Any..., from: Any = 0) -> Self { fatalError() }
  }

  @available(
    *, unavailable,
    message: "write .log(LogRecorder()), .analytics(AnalyticsRecorder()), .scaled(by: 60)"
  )
  extension Trait where Self == AmbientTrait {
    public static var log: Self { fatalError() }
    public static var analytics: Self { fatalError() }
    public static var scaled: Self { fatalError() }
  }
#endif
