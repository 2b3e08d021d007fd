// Names of public types of this module that are near Ambient's. The types are empty.
public struct Analytics {}
public struct AnalyticsError {}
public struct EventPlugin {}
public struct HTTPClient {}
public struct HTTPSession {}
public struct SystemTimeProvider {}
public struct TimeProvider {}
public struct UploadTask {}
