#!/usr/bin/python3
"""A mail server of aiosmtpd, written by others, that judges what it is given and fails where it is asked to.

usage: judge.py FOLDER CLEAR-PORT TLS-PORT

FOLDER has cert.pem and key.pem. The first port wants STARTTLS, the second one speaks TLS from the first octet; both
take the user "me" with the password "pass", or with the token "good". A message that was taken is FOLDER/mail/NNNN.eml,
and NNNN.json says how it came. Recipients t450... are refused for now, p550... for good; a field X-Judge in the header
asks for data451, data554 or drop-after-data.
"""
import asyncio
import base64
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

folder, clear, tls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


class Handler:
    count = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("t450"):
            return "450 4.2.0 greylisted"
        if address.startswith("p550"):
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 ok"

    async def handle_DATA(self, server, session, envelope):
        octets = envelope.original_content
        header = octets.split(b"\r\n\r\n", 1)[0].lower()
        if b"x-judge: data451" in header:
            return "451 4.3.0 later"
        if b"x-judge: data554" in header:
            return "554 5.6.0 rejected"
        self.keep(octets, server, session, envelope)
        if b"x-judge: drop-after-data" in header:
            server.transport.abort()
        return "250 2.0.0 taken"

    def keep(self, octets, server, session, envelope):
        Handler.count += 1
        name = f"{folder}/mail/{Handler.count:04}"
        with open(name + ".json", "w") as file:
            lone = octets.replace(b"\r\n", b"")
            facts = {
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "tls": server.transport.get_extra_info("cipher") is not None,
                "login": str(session.auth_data),
                "lone": lone.count(b"\n") + lone.count(b"\r") + lone.count(b"\0"),
                "longest": max(map(len, octets.split(b"\r\n"))),
            }
            json.dump(facts, file)
        with open(name + ".new", "wb") as file:
            file.write(octets)
        os.rename(name + ".new", name + ".eml")


class Server(SMTP):
    async def auth_XOAUTH2(self, server, arguments):
        given = arguments[1] if len(arguments) > 1 else await self.challenge_auth(b"")
        token = base64.b64decode(given) if isinstance(given, str) else given
        if token == b"user=me\x01auth=Bearer good\x01\x01":
            return AuthResult(success=True, auth_data="me by token")
        await self.challenge_auth(b'{"status":"401"}')
        await self.push("535 5.7.8 expired")
        return AuthResult(success=False, handled=True)


def authenticate(server, session, envelope, mechanism, data):
    is_right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"me", b"pass")
    return AuthResult(success=is_right, handled=False, auth_data="me by password")


async def main():
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    loop = asyncio.get_running_loop()

    def server(starts_tls):
        return Server(
            Handler(),
            hostname="judge.test",
            enable_SMTPUTF8=False,
            tls_context=context if starts_tls else None,
            require_starttls=starts_tls,
            authenticator=authenticate,
            auth_required=True,
            auth_require_tls=starts_tls,
            loop=loop,
        )

    await loop.create_server(lambda: server(True), "127.0.0.1", clear)
    await loop.create_server(lambda: server(False), "127.0.0.1", tls, ssl=context)
    with open(f"{folder}/ready", "w"):
        pass
    await asyncio.to_thread(sys.stdin.read)


asyncio.run(main())
