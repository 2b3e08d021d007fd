// Names of public types of this module that are near Ambient's. The types are empty.
public struct FileHTTPHandler {}
public struct HTTPClient {}
public struct HTTPRequest {}
public struct HTTPResponse {}
public struct HTTPServer {}
public struct HTTPUnhandledError {}
