# SPDX-License-Identifier: MIT
"""A headless Chromium, controlled over its DevTools protocol: a websocket, of which this has just enough."""
import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

CHROMIUM = shutil.which("chromium")


class WebSocket:
    def __init__(self, url):
        host, _, path = url.removeprefix("ws://").partition("/")
        name, _, port = host.partition(":")
        self.socket = socket.create_connection((name, int(port)), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            self.data += self.socket.recv(4096)
        head, self.data = self.data.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(head.decode())

    def send(self, text):
        body, mask = text.encode(), os.urandom(4)
        size = len(body)
        head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else \
            struct.pack("!BBH", 0x81, 0xFE, size) if size < 65536 else struct.pack("!BBQ", 0x81, 0xFF, size)
        self.socket.sendall(head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(body)))

    def take(self, count):
        while len(self.data) < count:
            more = self.socket.recv(1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self.data += more
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def receive(self):
        text = b""
        while True:
            first, second = self.take(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack("!H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.take(8))[0]
            part = self.take(size)
            if first & 0x0F in (0, 1):
                text += part
                if first & 0x80:
                    return text.decode()


class Browser:
    """One page. `problems` collects console errors and exceptions, `requests` what it asked the net for."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="rehearse-browser-")
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--remote-debugging-port=0", f"--user-data-dir={self.folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = Path(self.folder, "DevToolsActivePort")
        deadline = time.monotonic() + 60
        while not (port_file.exists() and port_file.read_text().count("\n")):
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.close()
                raise RuntimeError("chromium does not start")
            time.sleep(0.05)
        port = port_file.read_text().split()[0]
        new_page = urllib.request.Request(f"http://127.0.0.1:{port}/json/new", method="PUT")
        with urllib.request.urlopen(new_page) as answer:
            page = json.load(answer)
        self.socket = WebSocket(page["webSocketDebuggerUrl"])
        self.number, self.problems, self.requests = 0, [], []
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def processor_seconds(self):
        """That all processes of the browser have used so far."""
        ticks, children = {}, {}
        for number in [int(name) for name in os.listdir("/proc") if name.isdigit()]:
            try:
                fields = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            except OSError:  # it has ended meanwhile
                continue
            ticks[number] = int(fields[11]) + int(fields[12])
            children.setdefault(int(fields[1]), []).append(number)
        todo, total = [self.process.pid], 0
        while todo:
            number = todo.pop()
            total += ticks.get(number, 0)
            todo += children.get(number, [])
        return total / os.sysconf("SC_CLK_TCK")

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.receive())
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message.get("method"), message.get("params", {}))

    def note(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.problems.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def size(self, width, height, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, path, seconds=60):
        """Opens the file; returns the seconds until the page says that it is ready."""
        self.problems.clear()
        self.requests.clear()
        begin = time.monotonic()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        while time.monotonic() - begin < seconds:
            if self.evaluate("document.readyState === 'complete' && window.rehearse ? window.rehearse.ready : 0"):
                return time.monotonic() - begin
            time.sleep(0.05)
        raise RuntimeError(f"not ready after {seconds} s: {self.problems}")

    def state(self):
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
        return self.evaluate("rehearse.state()")

    def key(self, key):
        text = {"text": key} if len(key) == 1 else {}
        code = {"Enter": 13, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35}.get(key, 0)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def write(self, text):
        self.call("Input.insertText", text=text)

    def place(self, selector):
        """The middle of an element in the window, after scrolling there."""
        return self.evaluate(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", behavior: "instant"}}); const b = e.getBoundingClientRect();
            return [b.x + b.width / 2, b.y + b.height / 2]; }})()""")

    def click(self, selector):
        x, y = self.place(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def wheel(self, selector, by):
        x, y = self.place(selector)
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def screenshot(self, path, width, dark=False, selector="body"):
        """The element, in a window that is as high as the page."""
        height = self.evaluate("document.documentElement.scrollHeight")
        self.size(width, min(height, 8000), dark)
        self.state()
        box = self.evaluate(f"""(() => {{
            const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [b.x, b.y, b.width, b.height]; }})()""")
        clip = dict(zip(("x", "y", "width", "height"), box), scale=1)
        data = self.call("Page.captureScreenshot", format="png", clip=clip)["data"]
        Path(path).write_bytes(base64.b64decode(data))
