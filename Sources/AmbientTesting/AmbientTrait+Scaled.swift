#if canImport(Testing)
  internal import Ambient
  public import Testing

  extension Trait where Self == AmbientTrait {
    /// Gives each test ambient contexts of its own, with time running `factor` times as fast, sleeps
    /// included; a factor not above zero is an issue of the test.
    public static func scaled(by factor: Double) -> Self {
      Self { _, function in
        Time.instance = try ScaledTime(of: DefaultTime(), by: factor)
        try await function()
      }
    }
  }
#endif
