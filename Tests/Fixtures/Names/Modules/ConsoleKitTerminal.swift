// Names of public types of this module that are near Ambient's. The types are empty.
public struct LogRecord {}
public struct SourceLocationFragment {}
public struct SystemTimestampSource {}
