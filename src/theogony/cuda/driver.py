"""A device as `batch.py` needs it: it runs kernels of PTX. Memory is that of torch's tensors."""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from theogony.console.extras import install
from theogony.envs.core.game import OptionError

BLOCK = 64  # threads
MODULES: dict[tuple[str, int | None], Any] = {}  # by their PTX and the number of their device
OLDEST = (8, 0)  # compute capability, as `emit.PROCESSOR`


class NoDevice(RuntimeError):
    """There is no device here, or what would find it is missing."""


class Driver:
    """A device by NVIDIA's own library, which runs the kernels of one game; torch is its allocator and orders the work.

    Args:
        device: "cuda", or "cuda:1" for the second one.

    Raises OptionError, NoDevice, or ModuleNotFoundError that says what to install.
    """

    def __init__(self, device: str = "cuda") -> None:
        if not re.fullmatch(r"cuda(:\d+)?", device):
            raise OptionError(f'device={device!r} is not "cpu", "cuda" or, for the second one, "cuda:1"')
        self._cuda: Any = _binding()
        self.device: torch.device = _device(device)
        torch.zeros(1, device=self.device)  # torch makes the context
        self._context = self._done(self._cuda.cuCtxGetCurrent())
        self._kernels: dict[str, Any] = {}

    def load(self, ptx: str) -> None:
        """Let the driver compile kernels, once in a process; it keeps them on disk as well."""
        known = ptx, self.device.index
        if known not in MODULES:
            MODULES[known] = self._done(self._cuda.cuModuleLoadData(ptx.encode() + b"\0"))
        self._module = MODULES[known]

    def launch(self, kernel: str, threads: int, given: Sequence[int]) -> None:
        """Begin to run a kernel in so many threads, after all that torch was told before on its current stream."""
        if kernel not in self._kernels:
            self._kernels[kernel] = self._done(self._cuda.cuModuleGetFunction(self._module, kernel.encode()))
        values = np.array([number & (2**64 - 1) for number in given], np.uint64)
        places = values.ctypes.data + 8 * np.arange(len(values), dtype=np.uint64)
        blocks = -(-threads // BLOCK)
        stream = torch.cuda.current_stream(self.device).cuda_stream
        self._done(self._cuda.cuCtxSetCurrent(self._context))  # another thread may have another one
        shape = (blocks, 1, 1, BLOCK, 1, 1, 0, stream)
        self._done(self._cuda.cuLaunchKernel(self._kernels[kernel], *shape, places.ctypes.data, 0))

    def _done(self, result: tuple[Any, ...]) -> Any:
        """What a call gives besides its status. Raises RuntimeError in the driver's words."""
        status, *found = result
        if int(status):
            raise RuntimeError(f"CUDA: {self._cuda.cuGetErrorString(status)[1].decode()}")
        return found[0] if found else None


def _binding() -> Any:
    try:
        return importlib.import_module("cuda.bindings.driver")
    except ImportError as error:
        raise ModuleNotFoundError(
            f'device="cuda" needs the package cuda-bindings: {install("cuda")}', name=error.name
        ) from error


def _device(name: str) -> torch.device:
    """A device that is there. Raises NoDevice."""
    if torch.version.cuda is None:
        raise NoDevice(f'device="{name}": this torch ({torch.__version__}) is for CPUs: https://pytorch.org has others')
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    found = torch.device(name)
    if (found.index or 0) >= count:
        raise NoDevice(f'device="{name}": torch finds {count} devices here; `nvidia-smi` shows what the driver finds')
    found = torch.device("cuda", torch.cuda.current_device() if found.index is None else found.index)
    if torch.cuda.get_device_capability(found) < OLDEST:
        raise NoDevice(f"{torch.cuda.get_device_name(found)} is too old: compute capability 8.0 is the least")
    torch.cuda.set_device(found)
    return found
