"""Makes the certificates of the folder Certificates (Python's package cryptography is needed).

A file has a certificate, those of its intermediate authorities, and its key. All of them are for the
address 127.0.0.1, and valid from 2020 to 2126, but for what their names say.
"""
import datetime, ipaddress, os
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID as Usage, NameOID, ObjectIdentifier

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Certificates")
PAST, FUTURE = (2000, 2001), (2120, 2126)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Holder:
    """A certificate with its key, and the certificates of the authorities above it but the first."""

    def __init__(self, subject, issuer=None, *, authority=False, years=(2020, 2126), ip="127.0.0.1",
                 host=None, named=True, usage=Usage.SERVER_AUTH, signs=True, length=None,
                 extra=()):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = name(subject)
        self.issuer = issuer or self
        builder = (
            x509.CertificateBuilder().subject_name(self.name).issuer_name(self.issuer.name)
            .public_key(self.key.public_key()).serial_number(x509.random_serial_number())
            .not_valid_before(datetime.datetime(years[0], 1, 1))
            .not_valid_after(datetime.datetime(years[1], 1, 1))
            .add_extension(x509.BasicConstraints(authority, length), critical=True)
            .add_extension(x509.KeyUsage(
                digital_signature=True, content_commitment=False, key_encipherment=not authority,
                data_encipherment=False, key_agreement=False, key_cert_sign=authority and signs,
                crl_sign=authority and signs, encipher_only=False, decipher_only=False),
                critical=True))
        if not authority:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            if named:
                names = [x509.DNSName(host)] if host else [x509.IPAddress(ipaddress.ip_address(ip))]
                builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
        for extension in extra:
            builder = builder.add_extension(extension, critical=True)
        self.certificate = builder.sign(self.issuer.key, hashes.SHA256())
        self.chain = [] if issuer is None or issuer.issuer is issuer else [issuer] + issuer.chain

    def pem(self, *, chain=True, key=True, password=None):
        text = b"".join(
            one.certificate.public_bytes(serialization.Encoding.PEM)
            for one in [self] + (self.chain if chain else []))
        if not key:
            return text
        secret = (serialization.BestAvailableEncryption(password) if password
                  else serialization.NoEncryption())
        return text + self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, secret)


def write(path, text):
    with open(os.path.join(FOLDER, path + ".pem"), "wb") as file:
        file.write(text)


authority = Holder("Ambient authority", authority=True)
second = Holder("Ambient second authority", authority=True)
expired_authority = Holder("Ambient expired authority", authority=True, years=PAST)
write("authorities", b"".join(
    one.pem(key=False) for one in [authority, expired_authority]))
write("second-authority", second.pem(key=False))
write("good", Holder("good", authority).pem())
write("second-good", Holder("good", second).pem())


def between(**changes):
    return Holder("Ambient intermediate", authority, authority=True, **changes)


broken = Holder("broken signature", authority)
der = bytearray(broken.certificate.public_bytes(serialization.Encoding.DER))
der[-1] ^= 1
broken_text = broken.pem().replace(
    broken.certificate.public_bytes(serialization.Encoding.PEM),
    x509.load_der_x509_certificate(bytes(der)).public_bytes(serialization.Encoding.PEM))
impostor = Holder("Ambient authority", authority=True)
constrained = between(extra=[x509.NameConstraints(
    None, [x509.IPAddress(ipaddress.ip_network("127.0.0.0/8"))])])
unknown = x509.UnrecognizedExtension(ObjectIdentifier("1.2.3.4.5"), b"\x05\x00")
bad = {
    "self-signed": Holder("self-signed").pem(),
    "of-an-unknown-authority": Holder("unknown", second).pem(),
    "expired": Holder("expired", authority, years=PAST).pem(),
    "not-yet-valid": Holder("future", authority, years=FUTURE).pem(),
    "for-another-address": Holder("another", authority, ip="127.0.0.2").pem(),
    "for-another-host": Holder("another", authority, host="events.example").pem(),
    "for-any-host": Holder("any", authority, host="*").pem(),
    "without-names": Holder("none", authority, named=False).pem(),
    "expired-intermediate": Holder("server", between(years=PAST)).pem(),
    "future-intermediate": Holder("server", between(years=FUTURE)).pem(),
    "missing-intermediate": Holder("server", between()).pem(chain=False),
    "intermediate-that-is-no-authority": Holder("server", Holder("leaf", authority)).pem(),
    "intermediate-that-may-not-sign": Holder("server", between(signs=False)).pem(),
    "too-long-path": Holder("server", Holder(
        "second", between(length=0), authority=True)).pem(),
    "excluded-by-its-intermediate": Holder("server", constrained).pem(),
    "for-clients": Holder("client", authority, usage=Usage.CLIENT_AUTH).pem(),
    "unknown-critical-extension": Holder("critical", authority, extra=[unknown]).pem(),
    "broken-signature": broken_text,
    "of-an-impostor": Holder("impostor", impostor).pem(),
    "of-an-expired-authority": Holder("server", expired_authority).pem(),
}
for file, text in bad.items():
    write("bad-" + file, text)
client = Holder("client", authority, usage=Usage.CLIENT_AUTH)
write("client", client.pem(key=False))
write("client-key", client.pem()[len(client.pem(key=False)):])
write("client-and-key", client.pem())
write("client-with-password", client.pem(password=b"secret"))
write("client-expired", Holder("client", authority, usage=Usage.CLIENT_AUTH, years=PAST).pem())
write("client-unknown", Holder("client", second, usage=Usage.CLIENT_AUTH).pem())
print(len(bad))
