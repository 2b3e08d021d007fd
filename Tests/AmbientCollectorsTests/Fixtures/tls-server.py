"""A server of HTTPS for tests, with a port for each certificate.

tls-server.py [--clients FILE] [--bodies FILE] [--close] CERTIFICATE...

Prints the ports, one a line. A certificate is the path of a file in PEM, with its key, or "-" for a
port without TLS. The files are read again when they change. Each port is also a proxy: it obeys
CONNECT. With --clients, a client needs a certificate of these authorities. With --bodies, the bodies
of all requests are appended to the file. With --close, each answer ends its connection.
"""
import argparse, os, socket, ssl, threading

parser = argparse.ArgumentParser()
parser.add_argument("--clients")
parser.add_argument("--bodies")
parser.add_argument("--close", action="store_true")
parser.add_argument("certificates", nargs="+")
options = parser.parse_args()
bodies = open(options.bodies, "ab", buffering=0) if options.bodies else None
lock = threading.Lock()


class Context:
    """The server's side of TLS: one context for each version of a file, so that its sessions can be
    resumed."""

    def __init__(self, path):
        self.path, self.version, self.context = path, None, None

    def current(self):
        with lock:
            status = os.stat(self.path)
            version = (status.st_ino, status.st_mtime_ns)
            if version != self.version:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.load_cert_chain(self.path)
                if options.clients:
                    context.verify_mode = ssl.CERT_REQUIRED
                    context.load_verify_locations(options.clients)
                self.version, self.context = version, context
            return self.context


def relay(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def answer(connection):
    rest = b""
    while True:
        while b"\r\n\r\n" not in rest:
            data = connection.recv(65536)
            if not data:
                return
            rest += data
        head, _, rest = rest.partition(b"\r\n\r\n")
        words = head.split()
        if words[0] == b"CONNECT":
            other = socket.create_connection(("127.0.0.1", int(words[1].rsplit(b":", 1)[1])))
            connection.sendall(b"HTTP/1.1 200 So\r\n\r\n")
            threading.Thread(target=relay, args=(other, connection), daemon=True).start()
            return relay(connection, other)
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        while len(rest) < length:
            data = connection.recv(65536)
            if not data:
                return
            rest += data
        if bodies:
            bodies.write(rest[:length])
        rest = rest[length:]
        end = b"Connection: close\r\n" if options.close else b""
        connection.sendall(b"HTTP/1.1 200 So\r\n" + end + b"Content-Length: 2\r\n\r\nso")
        if options.close:
            return


def serve(plain, context):
    try:
        with context.current().wrap_socket(plain, server_side=True) if context else plain as one:
            answer(one)
    except OSError:
        plain.close()


def listen(listener, context):
    while True:
        threading.Thread(target=serve, args=(listener.accept()[0], context), daemon=True).start()


listeners = [socket.create_server(("127.0.0.1", 0)) for _ in options.certificates]
for listener, path in zip(listeners, options.certificates):
    context = None if path == "-" else Context(path)
    threading.Thread(target=listen, args=(listener, context), daemon=True).start()
print(*[listener.getsockname()[1] for listener in listeners], sep="\n", flush=True)
threading.Event().wait()
