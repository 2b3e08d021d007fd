// Names of public types of this module that are near Ambient's. The types are empty.
public struct InMemoryLogHandler {}
public struct LogEvent {}
public struct LogHandler {}
public struct Logger {}
public struct LoggingSystem {}
public struct MultiplexLogHandler {}
public struct StreamLogHandler {}
