# SPDX-License-Identifier: MIT
"""weft kernels: the list, the cache, and what is refused. Packs are tested on the emulated device (tests/cuda/store.sh)."""

import json
import os

from tool import Skip, check, check_in, need, weft


def has_cuda():
    """Whether CUDA is in this build; without it nothing is compiled at run time, and there is no cache."""
    backends = {item["backend"]: item["detail"] for item in json.loads(weft("devices", "--json")[0])}
    return not backends["cuda"].startswith("left out of this build")


def kernels(*words, status=0, **variables):
    before = dict(os.environ)
    os.environ.update({"WEFT_KERNEL_CACHE": os.path.abspath("cache"), **variables})
    try:
        return weft("kernels", *words, status=status)
    finally:
        os.environ.clear()
        os.environ.update(before)


def test_kernels_are_listed():
    out, _ = kernels()
    check_in("0 compiled, 0.0 kB; the cache is " + (os.path.abspath("cache") if has_cuda() else "nowhere"), out)
    all_kernels = json.loads(kernels("--json")[0])
    check({item["place"] for item in all_kernels} <= {"embedded"}, "nothing is compiled")
    for backend, words in (("cuda", "as text for CUDA"), ("vulkan", "as SPIR-V for Vulkan")):
        names = [item["name"] for item in all_kernels if item["backend"] == backend]
        check(len(set(names)) == len(names), f"a kernel of {backend} twice")
        check(backend != "cuda" or bool(names) == has_cuda(), "kernels for CUDA without a backend that runs them")
        check_in(f"{len(names)} {'kernels ' if backend == 'cuda' else ''}{words}", out)
    check_in("the cache is nowhere", kernels(WEFT_KERNEL_CACHE="none")[0])


def test_kernels_that_are_none_are_left_alone():
    if not has_cuda():
        raise Skip("CUDA is left out of this build")
    os.mkdir("cache")
    for name in ("nonsense.kernel", "half.kernel.abcdef", "other"):
        with open(f"cache/{name}", "w", encoding="ascii") as file:
            file.write("no kernel")
    check_in("0 compiled", kernels()[0])
    check_in("1 kernel removed", kernels("--clear")[0])
    check(os.listdir("cache") == ["other"], "what is half written goes too, and nothing else")
    check_in("0 kernels removed", kernels("--clear")[0])


def test_kernels_refuse_mistakes():
    need("gaussian")
    mistakes = (
        (["--warm"], "--warm needs graphs"),
        (["--pack", "p", "--arch", "90"], "--pack needs graphs"),
        (["--pack", "p", "gaussian=4"], "--pack needs --arch"),
        (["--pack", "p", "--arch", "8.0", "gaussian=4"], "--arch takes compute capabilities without their dot"),
        (["--pack", "p", "--arch", "80,", "gaussian=4"], "--arch takes"),
        (["--arch", "90", "gaussian=4"], "--arch says for which GPUs a pack is"),
        (["--warm", "--clear", "gaussian=4"], "--warm, --clear and --pack exclude each other"),
        (["--clear", "gaussian=4"], "takes no graph: 'gaussian=4' is too much"),
        (["gaussian=4"], "--warm or --pack FILE compile 'gaussian=4'"),
        (["--warm", "--json", "gaussian=4"], "--json is for the list"),
        (["--warm", "-g", "gaussian=4", "sobel"], "'sobel' is too much"),
    )
    for words, message in mistakes:
        _, errors = kernels(*words, status=2)
        check_in(message, errors)
        check(len(errors.splitlines()) == 1, errors)
    check(not os.path.exists("p"), "no pack was begun")


def test_packs_need_a_compiler():
    need("gaussian")
    built = has_cuda()
    _, errors = kernels("--pack", "p", "--arch", "90", "gaussian=4", status=1, WEFT_NVRTC="none")
    check_in("install NVRTC" if built else "this build has no CUDA backend", errors)
    check(not os.path.exists("p"), "no pack was begun")
    if built:
        with open("p", "w", encoding="ascii") as file:
            file.write("no pack")
        check_in("is no pack of kernels: 'p'", kernels(status=1, WEFT_KERNEL_PACK="p")[1])
        check_in("cannot be read: 'q'", kernels(status=1, WEFT_KERNEL_PACK="q")[1])
