// Names of public types of this module that are near Ambient's. The types are empty.
public struct AsyncChannel {}
public struct AsyncTimerSequence {}
public struct SourceFailure {}
public struct SourceLocation {}
public struct TestClock {}
