// Names of public types of this module that are near Ambient's. The types are empty.
public struct AsyncTimeoutSequence {}
public struct TimeoutController {}
public struct TimeoutError {}
