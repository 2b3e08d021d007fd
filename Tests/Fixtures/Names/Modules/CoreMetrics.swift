// Names of public types of this module that are near Ambient's. The types are empty.
public struct Counter {}
public struct Gauge {}
public struct Meter {}
public struct Recorder {}
public struct RecorderHandler {}
public struct TimeUnit {}
public struct Timer {}
public struct TimerHandler {}
