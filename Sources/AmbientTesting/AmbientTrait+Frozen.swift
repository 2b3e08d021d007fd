#if canImport(Testing)
  internal import Ambient
  #if canImport(FoundationEssentials)
    public import FoundationEssentials
  #else
    public import Foundation
  #endif
  public import Testing

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, with time standing still at `date`.
    public static func frozen(at date: Date) -> Self {
      Self { _, function in
        Time.instance = FixedTime(at: date)
        try await function()
      }
    }

    /// Gives each test ambient contexts of its own, with time standing still at the instant that
    /// `text` denotes in ISO 8601; text that denotes none is an issue of the test.
    public static func frozen(at text: String) -> Self {
      Self { _, function in
        Time.instance = try FixedTime(at: text)
        try await function()
      }
    }
  }
#endif
