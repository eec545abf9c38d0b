# SPDX-License-Identifier: MIT
"""What is said of any file that is read: that its numbers are light, what its last channel is, which one is left out."""

from tool import check, check_in, need, pam, read_pam, weft


def save(name, channels, data):
    with open(name, "wb") as file:
        file.write(pam(2, 1, channels, bytes(data)))


def read(*words):
    weft(*words, "out.pam")
    with open("out.pam", "rb") as file:
        return read_pam(file.read())


def test_channels_are_dropped():
    need("opacity")
    save("in.pam", 4, [10, 20, 30, 40, 50, 60, 70, 80])
    for drop, left, pixels in (("alpha", 3, [10, 20, 30, 50, 60, 70]), ("4", 3, [10, 20, 30, 50, 60, 70]),
                               ("alpha,alpha=none", 4, [10, 20, 30, 40, 50, 60, 70, 80]),
                               ("none", 4, [10, 20, 30, 40, 50, 60, 70, 80]),
                               ("1,alpha=none", 3, [20, 30, 40, 60, 70, 80]), ("2,alpha=none", 3, [10, 30, 40, 50, 70, 80])):
        width, _, depth, _, data = read("convert", f"in.pam[drop={drop}]")
        check((width, depth, list(data)) == (2, left, pixels), f"{drop}: {depth} {list(data)}")
    check_in("two colors", weft("convert", "in.pam[drop=1]", "out.pam", status=2)[1])
    check_in("drop is one of", weft("convert", "in.pam[drop=5]", "out.pam", status=2)[1])
    save("in.pam", 2, [10, 20, 30, 40])
    check(list(read("convert", "in.pam[drop=1]")[4]) == [20, 40])
    check_in("channel 3 cannot", weft("convert", "in.pam[drop=3]", "out.pam", status=2)[1])
    save("in.pam", 1, [10, 20])
    check_in("cannot be dropped", weft("convert", "in.pam[drop=1]", "out.pam", status=2)[1])
    check(list(read("convert", "in.pam[drop=alpha]")[4]) == [10, 20], "there is none to drop")
    check_in("remove the option alpha", weft("convert", "in.pam[alpha=straight]", "out.pam", status=2)[1])


def test_alpha_is_said():
    """Premultiplied alpha is divided by where the file has it straight."""
    save("in.pam", 4, [50, 100, 0, 128, 10, 20, 30, 255])
    data = read("convert", "in.pam[alpha=premultiplied]")[4]
    check([abs(a - b) <= 1 for a, b in zip(data, [100, 199, 0, 128, 10, 20, 30, 255])] == [True] * 8, list(data))


def test_numbers_are_light():
    """0.5 of light is 188 of sRGB; and by IEC 61966-2-1, 188 of sRGB is 0.5028 of light."""
    need("opacity", "srgb_decode")
    save("in.pam", 3, [128, 255, 0, 64, 32, 16])

    def encode(light):
        return 255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)
    data = read("convert", "in.pam[linear]")[4]
    wanted = [encode(value / 255) for value in (128, 255, 0, 64, 32, 16)]
    check(all(abs(a - b) <= 0.51 for a, b in zip(data, wanted)), f"{list(data)} {wanted}")
    check(list(read("convert", "in.pam[linear=off]")[4]) == [128, 255, 0, 64, 32, 16])
    check_in("linear is one of", weft("convert", "in.pam[linear=maybe]", "out.pam", status=2)[1])
    check_in("it has linear, alpha, drop", weft("convert", "in.pam[light]", "out.pam", status=2)[1])
