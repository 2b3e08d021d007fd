// Names of public types of this module that are near Ambient's. The types are empty.
public struct FileDownloadDelegate {}
public struct HTTPClient {}
public struct HTTPClientError {}
public struct HTTPClientRequest {}
public struct HTTPClientResponse {}
public struct HTTPClientResponseDelegate {}
public struct ResponseAccumulator {}
