// Names of public types of this module that are near Ambient's. The types are empty.
public struct Client {}
public struct ClientRequest {}
public struct ClientResponse {}
public struct File {}
public struct FileIO {}
public struct FileMiddleware {}
public struct HTTPServer {}
public struct HTTPStatus {}
public struct Request {}
public struct RequestDecodable {}
public struct Validator {}
