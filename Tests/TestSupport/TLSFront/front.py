"""TLS in front of a server that has none: each connection is passed on to it, and ends with it.

Arguments: folder, port, port of the server. Ends with its standard input.
"""

import asyncio
import os
import ssl
import sys
import threading

folder, port, target = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (OSError, ssl.SSLError):
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    inner, outer = await asyncio.open_connection("127.0.0.1", target)
    await asyncio.gather(pump(reader, outer), pump(inner, writer))


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")
    await asyncio.start_server(serve, "127.0.0.1", port, ssl=context)
    open(f"{folder}/ready", "w").close()
    await asyncio.Event().wait()


threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
asyncio.run(main())
