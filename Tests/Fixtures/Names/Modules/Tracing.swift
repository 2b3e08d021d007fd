// Names of public types of this module that are near Ambient's. The types are empty.
public struct DefaultTracerClock {}
public struct NoOpTracer {}
public struct Span {}
public struct SpanEvent {}
public struct TracerInstant {}
