"""A real headless browser, driven through its DevTools pipe: no driver and no library besides the browser itself."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--mute-audio",
    "--hide-scrollbars", "--disable-extensions", "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
)  # fmt: skip
CODES = {"Enter": 13, "Escape": 27, "Tab": 9}  # of keys
PATIENCE = 30.0  # seconds


def find() -> str | None:
    """The browser of this machine; None where there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """A running browser; `tab` opens a window of its own, with its own storage."""

    def __init__(self, command: str, profile: Path) -> None:
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def connect() -> None:
            """The browser reads from descriptor 3 and writes to 4."""
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
            for number, end in enumerate(ends, 3):
                os.dup2(end, number)

        self._process = subprocess.Popen(
            [command, *FLAGS, f"--user-data-dir={profile}"],
            preexec_fn=connect,
            pass_fds=(3, 4),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._in, self._out = ours_in, ours_out
        self._buffer = b""
        self._number = 0

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol and its result. Raises RuntimeError or TimeoutError."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        message |= {"sessionId": session} if session else {}
        os.write(self._out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self._read(deadline)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def _read(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                raise RuntimeError("the browser has ended")
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def tab(self, url: str, width: int = 1280, height: int = 800) -> Tab:
        """A window at an address, as if it were another browser."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session, target)
        tab.size(width, height)
        tab.go(url)
        return tab

    def close(self) -> None:
        """End the browser."""
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)


class Tab:
    """A window of the browser."""

    def __init__(self, browser: Browser, session: str, target: str) -> None:
        self._browser, self._session, self._target = browser, session, target
        self.call("Page.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command to this window."""
        return self._browser.call(method, self._session, **parameters)

    def go(self, url: str) -> None:
        """Open an address."""
        self.call("Page.navigate", url=url)

    def reload(self) -> None:
        """Load the page anew."""
        self.call("Page.reload")

    def close(self) -> None:
        """Close the window."""
        self._browser.call("Target.closeTarget", targetId=self._target)

    def size(self, width: int, height: int) -> None:
        """Make the window so large."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def dark(self, on: bool = True) -> None:
        """Ask for the dark colours."""
        value = "dark" if on else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": value}])

    def js(self, expression: str) -> Any:
        """The value of a JavaScript expression, awaited. Raises RuntimeError with what was thrown."""
        found = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        if "exceptionDetails" in found:
            thrown = found["exceptionDetails"]
            raise RuntimeError(thrown.get("exception", {}).get("description", thrown["text"]))
        return found["result"].get("value")

    def wait(self, expression: str, patience: float | None = None, moving: str = "null") -> Any:
        """Wait until an expression is true, and return its value. Raises TimeoutError, which shows the page's text.

        Patience begins anew with every new value of `moving`: who plays on slowly has not stopped.
        """
        patience, last = PATIENCE if patience is None else patience, None
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            try:
                found, moved = self.js(f"(async () => [await ({expression}), {moving}])()")
                if found:
                    return found
                if moved != last:
                    last, deadline = moved, time.monotonic() + patience
            except RuntimeError:  # between two pages there is nothing to ask
                pass
            time.sleep(0.01)
        raise TimeoutError(f"waited for {expression}; the page says: {self.text()[:500]}")

    def text(self) -> str:
        """What is to be read on the page."""
        return self.js("document.body ? document.body.innerText : ''") or ""

    def click(self, x: float, y: float) -> None:
        """A real click of the mouse."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, key: str) -> None:
        """A key pressed and released, by its name such as ArrowLeft."""
        text: dict[str, Any] = {"text": key} if len(key) == 1 else {}
        if key in CODES:  # the browser itself does something with these
            text = {"code": key, "windowsVirtualKeyCode": CODES[key]} | ({"text": "\r"} if key == "Enter" else {})
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path: str | Path) -> None:
        """The window as PNG."""
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A running browser. Raises FileNotFoundError where there is none."""
    command = find()
    if command is None:
        raise FileNotFoundError("no browser is installed")
    running = Browser(command, profile)
    try:
        yield running
    finally:
        running.close()
