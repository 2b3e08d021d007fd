/// The system's time.
public final class DefaultTime: Time, @unchecked Sendable {}
