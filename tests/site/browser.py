# SPDX-License-Identifier: MIT
"""A browser without a window, driven by Chrome's DevTools protocol over a pipe: no port, no package."""

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    def __init__(self, program):
        self.profile = tempfile.mkdtemp(prefix="weft-browser-")
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()
        command = [program, "--headless=new", "--remote-debugging-pipe", f"--user-data-dir={self.profile}",
                   "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--disable-background-networking", "--force-color-profile=srgb",
                   *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"]
        # The protocol's two ends are the child's descriptors 3 and 4; they come from numbers that are neither.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (to_read, from_write)]
        self.process = subprocess.Popen(command, pass_fds=[3, 4], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=lambda: (os.dup2(ends[0], 3), os.dup2(ends[1], 4)))
        for end in (to_read, from_write, *ends):
            os.close(end)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    def message(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.back, 1 << 16)
            if not piece:
                raise EOFError("the browser has gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        """Sends a command and waits for its answer; events that come meanwhile are kept."""
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.to, json.dumps(command).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            message = self.message(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)

    def wait(self, method):
        deadline = time.monotonic() + 60
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message(deadline))

    def size(self, width, height, mobile):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def open(self, address):
        """Loads a page; returns what went wrong: exceptions, errors in the log, files that are not there."""
        self.events = []
        self.ask("Page.navigate", url=address)
        self.wait("Page.loadEventFired")
        wrong = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") == "Runtime.exceptionThrown":
                wrong.append("script: " + parameters["exceptionDetails"].get("text", "exception"))
            elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                wrong.append(f"log: {parameters['entry']['text']} {parameters['entry'].get('url', '')}")
            elif event.get("method") == "Network.loadingFailed" and not parameters.get("canceled"):
                wrong.append(f"file: {parameters.get('errorText')}")
            elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] == "error":
                wrong.append("console: an error")
        return wrong

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def picture(self, path, whole=False):
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        try:
            os.write(self.to, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")
            self.process.wait(timeout=20)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)
