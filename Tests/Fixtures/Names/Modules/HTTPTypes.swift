// Names of public types of this module that are near Ambient's. The types are empty.
public struct HTTPField {}
public struct HTTPFields {}
public struct HTTPRequest {}
public struct HTTPResponse {}
