// Names of public types of this module that are near Ambient's. The types are empty.
public struct AnyClock {}
public struct ImmediateClock {}
public struct SuspensionError {}
public struct TestClock {}
public struct UnimplementedClock {}
