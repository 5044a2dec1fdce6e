#!/usr/bin/env python3
"""Executes notebooks through a running Jupyter server, as a browser does, and stops at the first failing cell.

    run_in_server.py --url http://127.0.0.1:8888/user/me/ --token TOKEN notebooks/00-start-here.ipynb...

The program reads each notebook from the server, starts a session with its kernel, and sends the cells to the kernel's
web socket. Times count from the start of this program. Start the program together with the server to measure its start.
"""

import argparse
import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import websocket

BEGIN = time.monotonic()
FIGURES = ("image/png", "image/svg+xml")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", required=True, help="base address of the server, ending in /")
    parser.add_argument("--token", required=True)
    parser.add_argument("--wait", type=float, default=120, help="time limit in seconds for the start of the server (default 120)")
    parser.add_argument("--timeout", type=float, default=900, help="time limit of a cell in seconds (default 900)")
    parser.add_argument("notebooks", nargs="+", help="paths of the notebooks on the server")
    args = parser.parse_args()
    server = Server(args.url, args.token)
    server.await_start(args.wait)
    page = server.request("GET", "lab/tree/" + urllib.parse.quote(args.notebooks[0]), as_json=False)
    if b"jupyter-config-data" not in page:
        sys.exit(f"{args.url}lab: the page is not JupyterLab; check --url and --token")
    print(f"server: {args.notebooks[0]} opened after {since():.1f} s", flush=True)
    for path in args.notebooks:
        try:
            server.run(path, args.timeout)
        except (urllib.error.URLError, websocket.WebSocketException, OSError) as err:
            sys.exit(f"{path}: the server failed: {err}")


def since():
    return time.monotonic() - BEGIN


class Server:
    def __init__(self, url, token):
        self.url, self.token = url.rstrip("/") + "/", token
        self.figure = False  # whether a figure has been shown
        # Requests to this machine bypass the proxy settings of the environment.
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def request(self, method, path, body=None, as_json=True):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Authorization": "token " + self.token}, method=method)
        with self.opener.open(request, timeout=60) as reply:
            content = reply.read()
        return json.loads(content) if as_json and content else content

    def await_start(self, seconds):
        end = time.monotonic() + seconds
        while True:
            try:
                print(f"server: Jupyter Server {self.request('GET', 'api')['version']} after {since():.1f} s", flush=True)
                return
            except (urllib.error.URLError, ConnectionError, TimeoutError) as err:
                if time.monotonic() > end:
                    sys.exit(f"{self.url}: the server did not respond within {seconds:g} s; set a longer --wait: {err}")
                time.sleep(0.1)

    def run(self, path, timeout):
        notebook = self.request("GET", "api/contents/" + urllib.parse.quote(path))["content"]
        kernel = notebook["metadata"]["kernelspec"]["name"]
        session = self.request("POST", "api/sessions", {
            "path": path, "name": path, "type": "notebook", "kernel": {"name": kernel}})
        identity = uuid.uuid4().hex
        socket = websocket.create_connection(
            "ws" + self.url[4:] + f"api/kernels/{session['kernel']['id']}/channels?session_id={identity}",
            header=["Authorization: token " + self.token], timeout=timeout, http_no_proxy=["*"])
        begin = time.monotonic()
        try:
            count = 0
            for number, cell in enumerate(notebook["cells"], 1):
                source = "".join(cell["source"])
                if cell["cell_type"] != "code" or not source.strip():
                    continue
                count += 1
                start = time.monotonic()
                error, outputs = execute(socket, identity, source, timeout)
                if error:
                    sys.exit(f"{path}, cell {number}:\n{source}\n{error}")
                kinds = ", ".join(sorted(set(outputs))) or "nothing"
                if not self.figure and any(kind in FIGURES for kind in outputs):
                    self.figure = True
                    print(f"{path}: the first figure appeared {since():.1f} s after the start of the server", flush=True)
                print(f"{path}: cell {number} took {time.monotonic() - start:.1f} s, output: {kinds}", flush=True)
            print(f"{path}: {count} code cells in {time.monotonic() - begin:.1f} s", flush=True)
        finally:
            socket.close()
            self.request("DELETE", "api/sessions/" + session["id"])


def execute(socket, identity, code, timeout):
    """Executes a cell. Returns its error, or "", and the kinds of its outputs."""
    message = uuid.uuid4().hex
    socket.send(json.dumps({
        "header": {"msg_id": message, "msg_type": "execute_request", "session": identity, "username": "reader",
                   "version": "5.3", "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())},
        "parent_header": {}, "metadata": {}, "channel": "shell", "buffers": [],
        "content": {"code": code, "silent": False, "store_history": True, "user_expressions": {},
                    "allow_stdin": False, "stop_on_error": True}}))
    text, error, outputs, idle, replied = [], "", [], False, False
    end = time.monotonic() + timeout
    while not (idle and replied):
        if time.monotonic() > end:
            return f"took longer than {timeout:g} s", outputs
        received = json.loads(socket.recv())
        if received.get("parent_header", {}).get("msg_id") != message:
            continue
        kind, content = received["msg_type"], received["content"]
        if kind == "stream":
            text.append(content["text"])
            outputs.append(content["name"])
        elif kind in ("display_data", "execute_result", "update_display_data"):
            outputs += [k for k in content["data"] if k != "text/plain"] or ["text/plain"]
        elif kind == "error":
            error = "\n".join(content.get("traceback") or [f"{content['ename']}: {content['evalue']}"])
        elif kind == "execute_reply":
            replied = True
            if content["status"] != "ok":
                error = error or "\n".join(content.get("traceback") or [content["status"]])
        elif kind == "status" and content["execution_state"] == "idle":
            idle = True
    # If a `!command` fails, GoNB reports the failure only on the error stream.
    if not error and "!" in code and "exit status" in "".join(text):
        error = "a shell command failed"
    return ("".join(text) + error) if error else "", outputs


if __name__ == "__main__":
    main()
