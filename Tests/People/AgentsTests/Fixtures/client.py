"""A client by the SDK of the protocol, 1.x or 2.x: lists the tools, calls each, and prints a line a result."""

import asyncio
import json
import sys

from mcp import StdioServerParameters

try:
    from mcp import Client
except ImportError:
    Client = None

PROGRAM, AGENT, HOME = sys.argv[1:4]
MODE = sys.argv[4] if len(sys.argv) > 4 else None
SERVER = StdioServerParameters(
    command=PROGRAM, args=["mcp", "--agent", AGENT], env={"HOME": HOME, "TZ": "UTC"}
)
CALLS = [
    ("search", {"query": "*"}),
    ("show", {"id": "a@y.test", "links": True}),
    ("status", {}),
    ("draft", {"reply": "a@y.test", "text": "from a client"}),
    ("show", {"id": "nothing@y.test"}),
    ("search", {"query": "("}),
]


async def use(list_tools, call_tool):
    tools = (await list_tools()).tools
    print("tools", " ".join(tool.name for tool in tools))
    for name, arguments in CALLS:
        # The SDK holds structured content against the schema of the tool.
        result = await call_tool(name, arguments)
        is_error = getattr(result, "isError", None)
        if is_error is None:
            is_error = result.is_error
        text = json.loads(result.content[0].text)
        print(name, "failed " + text["code"] if is_error else "done")
    try:
        result = await call_tool("send", {"draft": "0"})
        print("send answered")
    except Exception as error:
        print("send", "refused" if "-32602" in repr(error) or "parameters" in str(error) else repr(error))


async def main():
    if Client is not None:
        options = {"mode": MODE} if MODE else {}
        async with Client(SERVER, **options) as client:
            print("revision", client.protocol_version)
            await use(client.list_tools, client.call_tool)
        return
    from mcp import ClientSession
    from mcp.client.stdio import stdio_client

    async with stdio_client(SERVER) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            result = await session.initialize()
            print("revision", result.protocolVersion)
            await use(session.list_tools, session.call_tool)


asyncio.run(main())
