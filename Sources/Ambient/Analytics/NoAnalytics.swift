/// Analytics that want no events.
public final class NoAnalytics: Analytics, @unchecked Sendable {}
