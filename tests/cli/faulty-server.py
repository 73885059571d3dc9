"""A model server that misbehaves, over real HTTP on 127.0.0.1:  faulty-server.py PORT_FILE [CERTIFICATE_AND_KEY]

The base URL names the fault: http://127.0.0.1:PORT/FAULT/v1. A fault `X-then-ok` shows X to the first request and
answers the second. GET /count/FAULT says how many requests it had, GET /last/FAULT shows the last request's body and
GET /key/FAULT its Authorization header.
"""
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

seen = {}
lock = threading.Lock()


def event(value):
    return b"data: " + json.dumps(value, ensure_ascii=False).encode() + b"\n\n"


def chunk(finish=None, **delta):
    return {"id": "r1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def say(text):
    return event(chunk(content=text))


def call(index, id, name, arguments):
    piece = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
    if index is not None:
        piece["index"] = index
    return event(chunk(tool_calls=[piece]))


def end(reason):
    return event(chunk(finish=reason))


USAGE = {"prompt_tokens": 1000, "completion_tokens": 10, "completion_tokens_details": None,
         "prompt_tokens_details": {"cached_tokens": 600}}
LAST = event({"id": "r1", "model": "m", "choices": [], "usage": USAGE}) + b"data: [DONE]\n\n"
OK = say("fine") + end("stop") + LAST
QUIRKY = (b"\xef\xbb\xbf: hello\r\n\r\nid: 7\r\nretry: 10\r\nevent: message\r\n"
          b'data: {"id":"r1","model":"m","choices":[{"index":0,\r\ndata: "delta":{"content":"na\xc3\xafve \xf0\x9f\x98\x80"}}]}\r\n\r\n')

# Streams that end in order, as far as HTTP can tell.
STREAMS = {
    "ok": OK,
    "eof": say("half a sent"),
    "half-call": call(0, "c1", "write", '{"a":'),
    "no-finish": say("all of it") + b"data: [DONE]\n\n",
    "length": say("it goes on and") + end("length") + LAST,
    "cut-call": call(0, "c1", "write", '{"a":1}') + call(1, "c2", "write", '{"a":') + end("length") + LAST,
    "bad-arguments": call(0, "c1", "write", '{"a":') + call(1, "c2", "write", "[1]") + call(2, "c3", "read", '{"b": 2}')
    + end("tool_calls") + LAST,
    "same-ids": call(0, "c1", "a", "{}") + call(1, "c1", "b", "{}") + call(2, "", "c", "{}") + end("tool_calls") + LAST,
    "same-index": call(0, "c1", "a", '{"x":1}') + call(0, "c2", "b", '{"y":2}') + end("tool_calls") + LAST,
    "no-index": call(None, "c1", "a", '{"x":') + call(None, "", None, "1}") + call(None, "c2", "b", "{}")
    + end("stop") + LAST,
    "repeated-id": call(0, "c1", "a", "") + call(0, "c1", "a", '{"x"') + call(0, "", None, ":1}") + end("tool_calls") + LAST,
    "interleaved": call(0, "c1", "a", '{"x"') + call(1, "c2", "b", '{"y"') + call(0, "", "", ":1}") + call(1, "", "", ":2}")
    + end("tool_calls") + LAST,
    "error-event": say("so far") + b'id:1\nevent:error\n:HTTP_STATUS/429\ndata:{"code":"Throttling.RateQuota","message":"slow down"}\n\n',
    "error-chunk": say("so far") + event({"error": {"code": "internal_error", "message": "lost a GPU"}}),
    "error-finish": say("data_inspection_failed: input data may contain inappropriate content") + end("error_finish"),
    "filtered": say("so") + end("content_filter") + LAST,
    "abort": say("so") + end("abort") + LAST,
    "reasoning-only": event(chunk(reasoning_content="hm")) + end("stop") + LAST,
    "reasoning-alias": event(chunk(reasoning="because")) + say("yes") + end("stop") + LAST,
    "think-tags": say("<think>\nbecause</think>\n\nyes") + end("stop") + LAST,
    "no-usage": event(chunk(reasoning_content="x" * 300)) + say("y" * 30) + end("stop") + b"data: [DONE]\n\n",
    "no-done": say("fine") + end("stop"),
    "bad-chunk": say("so") + b"data: {\"choices\":[{\n\n",
    "quirky": QUIRKY + end("stop").replace(b"\n", b"\r\n") + LAST,
    "comments-only": b": keep-alive\n\n",
}

# {status, headers, body}
REFUSALS = {
    "401": (401, {}, {"error": {"code": "invalid_api_key", "message": "Incorrect API key provided: sk-very-secret-1"}}),
    "403": (403, {}, {"code": "AccessDenied.Unpurchased", "message": "no access", "request_id": "q7"}),
    "quota": (429, {"Retry-After": "1"}, {"error": {"code": "insufficient_quota", "message": "quota exceeded"}}),
    "arrears": (400, {}, {"error": {"code": "Arrearage", "message": "account overdue"}}),
    "429": (429, {}, {"error": {"code": "limit_requests", "message": "too many"}}),
    "429-soon": (429, {"Retry-After": "1"}, {"error": {"code": "limit_requests", "message": "too many"}}),
    "429-late": (429, {"Retry-After": "100000"}, {"error": {"code": "limit_requests", "message": "too many"}}),
    "500": (500, {}, "oops"),
    "503": (503, {}, {"error": {"message": "overloaded"}}),
    "context": (400, {}, {"error": {"code": "invalid_parameter_error",
                                    "message": "Range of input length should be [1, 991808]"}}),
    "inspection": (400, {}, {"error": {"code": "data_inspection_failed", "message": "inappropriate content"}}),
    "400": (400, {}, {"error": {"message": "no such field"}}),
    "404": (404, {}, "<html>not found</html>"),
    "html": (200, {"Content-Type": "text/html"}, "<!DOCTYPE html><title>Log in\x07</title>" + "ä" * 5000),
    "json": (200, {"Content-Type": "application/json"}, {"code": "InternalError", "message": "try later"}),
    "empty": (200, {}, ""),
    "redirect": (302, {"Location": "http://127.0.0.1:1/elsewhere"}, ""),
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        _, what, fault = self.path.split("/")
        entry = seen.get(fault, {"count": 0, "last": "", "key": ""})
        self.answer(200, {}, str(entry[what]))

    def do_POST(self):
        fault, body = self.path.split("/")[1], self.rfile.read(int(self.headers["Content-Length"])).decode()
        with lock:
            entry = seen.setdefault(fault, {"count": 0})
            entry["count"] += 1
            entry["last"], entry["key"] = body, self.headers.get("Authorization", "")
            first = entry["count"] == 1
        if fault.endswith("-then-ok"):
            fault = fault[:-len("-then-ok")] if first else "ok"
        if fault in REFUSALS:
            return self.answer(*REFUSALS[fault])
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if fault in STREAMS:
            self.send(STREAMS[fault])
        else:
            getattr(self, fault.replace("-", "_"))()
        self.wfile.write(b"0\r\n\r\n")

    # Faults that are a matter of time, or of the connection.

    def bytewise(self):  # every byte a chunk of its own
        for byte in STREAMS["quirky"]:
            self.send(bytes([byte]))

    def silent(self):
        time.sleep(30)

    def idle(self):  # comments keep the connection busy, and no event comes
        self.send(say("one"))
        for _ in range(300):
            self.send(b": keep-alive\n\n")
            time.sleep(0.1)

    def drip(self):  # an event now and then, for ever
        for _ in range(300):
            self.send(say("x"))
            time.sleep(0.1)

    def slow(self):  # all at once, after a while, as a buffering proxy does
        time.sleep(1.5)
        self.send(OK)

    def reset(self):
        self.send(say("so far"))
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

    def cut(self):  # the connection closes in the middle of the chunked body
        self.send(say("so far"))
        self.connection.shutdown(socket.SHUT_RDWR)

    def reset_after_finish(self):
        self.send(say("fine") + end("stop"))
        time.sleep(0.2)
        self.connection.shutdown(socket.SHUT_RDWR)

    def hang_after_done(self):
        self.send(OK)
        time.sleep(30)

    def endless(self):
        line = b"x" * 65536
        while True:
            self.send(line)

    def send(self, data):
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def answer(self, status, headers, body):
        data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # clients leave in the middle: that is what is tested


server = Server(("127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(sys.argv[1] + ".part", "w") as file:
    file.write(f"{server.server_address[1]}\n")
os.rename(sys.argv[1] + ".part", sys.argv[1])
server.serve_forever()
