"""Reads protected messages as the RFCs have it, without Magnum: read-protected.py DIRECTORY, with NAME.eml, NAME.subject, NAME.text.

Prints how many were read, and what is wrong with the others.
"""
import base64
import email
import email.policy
import glob
import os
import re
import subprocess
import sys
import tempfile


def run(arguments, data, signature=None):
    """Runs a program: its status lines and its output."""
    with tempfile.TemporaryDirectory() as place:
        if signature is not None:
            name = os.path.join(place, "signature")
            with open(name, "wb") as file:
                file.write(signature)
            arguments = arguments + [name, "-"]
        result = subprocess.run(
            arguments[:1] + ["--batch", "--no-tty", "--status-fd", "2"] + arguments[1:],
            input=data, capture_output=True, check=False)
    return result.stderr.decode("utf-8", "replace"), result.stdout


def split(raw):
    """The header and the body of octets."""
    head, _, body = raw.partition(b"\n\n") if not raw.startswith(b"\n") else (b"", b"", raw[1:])
    return email.message_from_bytes(head + b"\n\n", policy=email.policy.default), body


def pieces(message, body):
    """The octets of the parts of a multipart."""
    mark = b"--" + message.get_boundary().encode()
    found = (b"\n" + body).split(b"\n" + mark)
    assert found[-1].startswith(b"--"), "no end of the multipart"
    return [piece.split(b"\n", 1)[1] for piece in found[1:-1]]


def wire(octets):
    return octets.replace(b"\n", b"\r\n")


def unwire(octets):
    assert b"\n" not in octets.replace(b"\r\n", b""), "a line ends with LF alone"
    return octets.replace(b"\r\n", b"\n")


def check(lines, *words):
    for word in words:
        assert "[GNUPG:] " + word in lines, word + " is missing: " + lines


def opened(raw, kinds):
    """What lies within all protection."""
    message, body = split(raw)
    kind = message.get_content_type()
    if kind == "multipart/signed":
        signed, beside = pieces(message, body)
        part, signature = split(beside)
        assert part.get_content_type() == message.get_param("protocol"), "the protocol"
        if "pgp" in part.get_content_type():
            lines, _ = run(["gpg", "--verify"], wire(signed), signature)
            number = re.search(r"VALIDSIG \S+ \S+ \S+ \S+ \S+ \S+ \S+ (\d+)", lines).group(1)
            names = {"8": "pgp-sha256", "9": "pgp-sha384", "10": "pgp-sha512"}
        else:
            lines, _ = run(["gpgsm", "--disable-crl-checks", "--verify"], wire(signed), base64.b64decode(signature))
            number = re.search(r"VALIDSIG \S+ \S+ \S+ \S+ \S+ \S+ \S+ (\d+)", lines).group(1)
            names = {"8": "sha-256", "9": "sha-384", "10": "sha-512"}
        check(lines, "GOODSIG", "VALIDSIG")
        assert message.get_param("micalg") == names[number], "micalg"
        kinds.append("signed")
        return opened(signed, kinds)
    if kind == "multipart/encrypted":
        version, data = pieces(message, body)
        assert message.get_param("protocol") == "application/pgp-encrypted", "the protocol"
        assert split(version)[0].get_content_type() == "application/pgp-encrypted", "the version"
        assert split(version)[1].strip() == b"Version: 1", "the version"
        lines, text = run(["gpg", "--decrypt"], split(data)[1])
        check(lines, "DECRYPTION_OKAY", "GOODMDC")
        kinds.append("encrypted")
        if "GOODSIG" in lines:
            kinds.append("signed")
        return opened(unwire(text), kinds)
    if kind == "application/pkcs7-mime":
        lines, text = run(["gpgsm", "--disable-crl-checks", "--decrypt"], base64.b64decode(body))
        check(lines, "DECRYPTION_OKAY")
        kinds.append("encrypted")
        return opened(unwire(text), kinds)
    return raw


def read(name):
    with open(name + ".eml", "rb") as file:
        raw = file.read()
    with open(name + ".subject", encoding="utf-8") as file:
        subject = file.read()
    with open(name + ".text", encoding="utf-8") as file:
        text = file.read()
    kinds = []
    payload = opened(raw, kinds)
    message = email.message_from_bytes(payload, policy=email.policy.default)
    plan = name.split("-", 1)[1]
    wanted = {"sign": ["signed"], "encrypt": ["encrypted"], "draft": ["encrypted"], "both": ["encrypted", "signed"],
              "hidden": ["encrypted", "signed"], "smime-sign": ["signed"], "smime-encrypt": ["encrypted"],
              "smime-both": ["encrypted", "signed"]}[plan]
    assert kinds == wanted, kinds
    assert str(message["subject"]) == subject, message["subject"]
    assert message.get_param("hp") == ("cipher" if "encrypted" in kinds else "clear"), "hp"
    assert message.get_param("protected-headers") == "v1", "protected-headers"
    outer = split(raw)[0]
    seen = [field.split(":", 1) for field in message.get_all("HP-Outer", [])]
    if "encrypted" in kinds:
        assert str(outer["subject"]) == "[...]", "Subject outside"
        names = {key.lower() for key in outer.keys()} - {"bcc", "mime-version"}
        names = {key for key in names if not key.startswith("content-")}
        assert {key.strip().lower() for key, _ in seen} == names, (seen, names)
        for key, value in seen:
            unfolded = email.message_from_string(key.strip() + ":" + value + "\n\n", policy=email.policy.default)
            assert str(unfolded[key.strip()]) == str(outer[key.strip()]), (key, value)
        assert outer["keywords"] is None, "Keywords outside"
    else:
        assert seen == [], "HP-Outer without encryption"
    assert ("Bcc" in message) == (plan == "draft"), "Bcc"
    body = message.get_body(("plain",)).get_content()
    assert body.rstrip("\n") == text.rstrip("\n"), (body, text)


def main():
    good = 0
    for file in sorted(glob.glob(os.path.join(sys.argv[1], "*.eml"))):
        os.chdir(sys.argv[1])
        name = os.path.basename(file)[:-4]
        try:
            read(name)
            good += 1
        except (AssertionError, AttributeError, ValueError, KeyError, IndexError) as error:
            print(name, type(error).__name__, error)
    print(good, "read")


main()
