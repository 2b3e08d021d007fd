// Names of public types of this module that are near Ambient's. The types are empty.
public struct EventNotification {}
public struct EventQueue {}
public struct TimeoutError {}
