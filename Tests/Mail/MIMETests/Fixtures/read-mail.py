"""Prints what Python's email makes of the message on standard input, as JSON."""
import email, email.policy, json, sys

message = email.message_from_binary_file(sys.stdin.buffer, policy=email.policy.default)
body = message.get_body(preferencelist=("plain",))


def octets(part):
    if part.get_content_type() == "message/rfc822":
        return part.get_content().as_bytes()
    return part.get_payload(decode=True)


print(json.dumps({
    "subject": message["subject"] or "",
    "to": [[a.display_name, a.addr_spec] for a in message["to"].addresses] if message["to"] else [],
    "text": body.get_content() if body else None,
    "defects": [str(d) for p in message.walk() for d in p.defects],
    "files": [[p.get_filename() or "", octets(p).hex()] for p in message.iter_attachments()],
}))
