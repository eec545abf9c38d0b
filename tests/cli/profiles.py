# SPDX-License-Identifier: MIT
"""Colors brought to a profile as files are read and written. Profiles are put together here, without a library."""

import os
import struct
import zlib

import tool
from formats import has_format
from tool import check, check_in, need, weft


def make_profile(red, green, blue, gamma=None):
    """An ICC profile of version 2 by hand, of these primaries and gamma, or sRGB's curve."""
    def fixed(*numbers):
        return struct.pack(f">{len(numbers)}i", *(round(65536 * number) for number in numbers))
    curve = b"curv" + bytes(4) + (struct.pack(">IH", 1, round(256 * gamma)) if gamma else struct.pack(">I", 1024) + b"".join(
        struct.pack(">H", round(65535 * (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4)))
        for v in (i / 1023 for i in range(1024))))
    text = b"desc" + bytes(4) + struct.pack(">I", 8) + b"swapped\0" + bytes(78)
    tags = [(b"desc", text), (b"cprt", b"text" + bytes(4) + b"none\0"), (b"wtpt", b"XYZ " + bytes(4) + fixed(0.9642, 1, 0.8249)),
            (b"rXYZ", b"XYZ " + bytes(4) + fixed(*red)), (b"gXYZ", b"XYZ " + bytes(4) + fixed(*green)),
            (b"bXYZ", b"XYZ " + bytes(4) + fixed(*blue)), (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    table, data, at = struct.pack(">I", len(tags)), b"", 132 + 12 * len(tags)
    for name, body in tags:
        body += bytes(-len(body) % 4)
        table += name + struct.pack(">II", at + len(data), len(body))
        data += body
    head = struct.pack(">I4sI4s4s4s12s4s", 132 + 12 * len(tags) + len(data), bytes(4), 0x02100000, b"mntr", b"RGB ", b"XYZ ",
                       struct.pack(">6H", 2020, 1, 1, 0, 0, 0), b"acsp") + bytes(28) + fixed(0.9642, 1, 0.8249)
    return head + bytes(128 - len(head)) + table + data


SRGB = ((0.4360747, 0.2225045, 0.0139322), (0.3850649, 0.7168786, 0.0971045), (0.1430804, 0.0606169, 0.7141733))


def swapped_profile():
    """sRGB with red, green and blue in the places of green, blue and red."""
    return make_profile(SRGB[1], SRGB[2], SRGB[0])


def test_color_profiles():
    """Colors are brought from the input's profile to the one that is asked for: here places of channels change, and
    nothing else."""
    if not has_format("png"):
        raise tool.Skip("no PNG")
    profile, pixels = swapped_profile(), bytes((200, 100, 50, 255, 10, 20, 30, 128, 0, 0, 0, 9, 255, 255, 255, 255))
    with open("swapped.icc", "wb") as file:
        file.write(profile)
    with open("a.pam", "wb") as file:
        file.write(tool.pam(4, 1, 4, pixels))
    status, errors = tool.outcome("convert", "a.pam", "b.png[color_profile=swapped.icc]")
    if status and "Little CMS" in errors:
        raise tool.Skip("no Little CMS")
    check(status == 0, errors)

    def near(made, expected):
        check(all(abs(a - b) <= 1 for a, b in zip(made, expected)), f"{list(made)}, not {list(expected)}")

    # What is red in sRGB is the third number of the profile, green the first, blue the second. Alpha stays.
    expected = b"".join(bytes((p[1], p[2], p[0], p[3])) for p in (pixels[i:i + 4] for i in range(0, 16, 4)))
    weft("convert", "b.png", "c.pam")
    with open("c.pam", "rb") as file:
        near(tool.read_pam(file.read())[4], expected)
    weft("convert", "b.png", "d.pam[color_profile=srgb]")
    with open("d.pam", "rb") as file:
        near(tool.read_pam(file.read())[4], pixels)
    with open("b.png", "rb") as file:
        data = file.read()
    place = data.index(b"iCCP")
    size = struct.unpack(">I", data[place - 4:place])[0]
    check(zlib.decompress(data[place + 4:place + 4 + size].split(b"\0", 1)[1][1:]) == profile, "the profile goes into the file")
    weft("convert", "b.png", "e.png[color_profile=srgb,compression=1]")
    with open("e.png", "rb") as file:
        check(b"iCCP" not in file.read(), "a file without a profile is sRGB")
    os.mkdir("profiles")
    os.rename("swapped.icc", "profiles/swapped.icc")
    for output in ("new/f.png[color_profile=profiles/swapped.icc]",
                   f"{{stem}}-2.png[color_profile={os.getcwd()}/profiles/swapped.icc]"):
        weft("convert", "a.pam", output)
        name = output.partition("[")[0].replace("{stem}", "a")
        with open(name, "rb") as file:
            check(file.read() == data, f"{name}: the name of the profile has a folder in it")
    os.rename("profiles/swapped.icc", "swapped.icc")
    with open("bad.icc", "wb") as file:
        file.write(profile[:200])
    for word, said in (("absent.icc", "No such file"), ("a.pam", "not an ICC profile"), ("bad.icc", "bad.icc")):
        check_in(said, weft("convert", "b.png", f"f.png[color_profile={word}]", status=1)[1])
    weft("run", "a.pam", "grayscale,take_channel", "g.png")
    check_in("is not of grey", weft("convert", "g.png", "f.png[color_profile=swapped.icc]", status=2)[1])


def test_color_profiles_in_graphs():
    """First in a graph colors are brought to the profile before its filters, last after them. The profile has channels in other
    places, so that a filter that makes the first channel black shows which it was."""
    if not has_format("png"):
        raise tool.Skip("no PNG")
    need("color_matrix", "absolute_difference", "reduce")
    with open("swapped.icc", "wb") as file:
        file.write(swapped_profile())
    pixels = bytes((200, 100, 50, 10, 20, 30, 0, 0, 0, 255, 255, 255))
    with open("a.pam", "wb") as file:
        file.write(tool.pam(4, 1, 3, pixels))
    status, errors = tool.outcome("run", "a.pam", "color_profile=swapped.icc", "b.png")
    if status and "needs Little CMS" in errors:
        raise tool.Skip("no Little CMS")
    check(status == 0, errors)

    def made(*words):
        weft(*words, "out.pam")
        with open("out.pam", "rb") as file:
            return tool.read_pam(file.read())[4]

    def near(data, expected):
        check(len(data) == len(expected) and all(abs(a - b) <= 1 for a, b in zip(data, expected)),
              f"{list(data)}, not {list(expected)}")

    def without(channel):
        return bytes(0 if i % 3 == channel else value for i, value in enumerate(pixels))

    dark = "color_matrix=0|0|0|0|0|1|0|0|0|0|1|0|0|0|0|1"
    near(made("run", "b.png", "color_profile=srgb"), pixels)
    near(made("run", "b.png", f"color_profile=srgb,{dark}"), without(0))
    near(made("run", "b.png", f"{dark},color_profile=srgb"), without(1))  # green is the profile's first
    near(made("run", "b.png", f"color_profile,{dark},color_profile=profile=swapped.icc"),
         bytes(b for p in (without(0)[i:i + 3] for i in range(0, 12, 3)) for b in (p[1], p[2], p[0])))
    near(made("run", "a.pam", "b.png", "[0]color_profile=srgb[a];[1]color_profile=srgb[b];[a][b]absolute_difference"), bytes(12))
    near(made("color_profile", "b.png"), pixels)
    near(made("color_profile", "b.png", "--profile=srgb", "--threads", "1"), pixels)
    near(made("convert", "b.png[color_profile=srgb]"), pixels)
    weft("run", "b.png", f"color_profile=srgb,{dark}", "c.png")
    weft("run", "b.png", dark, "kept.png")
    for name, there in (("c.png", False), ("kept.png", True)):
        with open(name, "rb") as file:
            check((b"iCCP" in file.read()) == there, f"{name}: whether it has a profile")
    weft("run", "b.png", "-g", "color_profile", "-o", "one.png", "-g", dark, "-o", "two.png")
    with open("two.png", "rb") as kept, open("kept.png", "rb") as file:
        check(kept.read() == file.read(), "another graph has the picture as it is")
    os.mkdir("in")
    for name in ("x", "y"):
        weft("convert", "b.png", f"in/{name}.png")
    weft("run", "in", f"color_profile=srgb,{dark}", "-o", "all/{stem}.pam")
    for name in ("x", "y"):
        with open(f"all/{name}.pam", "rb") as file:
            near(tool.read_pam(file.read())[4], without(0))

    for graph, said in ((f"{dark},color_profile=srgb,{dark}", "stands first, at an input, or last, at an output"),
                        (f"split[a][b];[a]color_profile,{dark}[x];[b]{dark}", "is also read as it is"),
                        ("reduce=mean,color_profile=srgb", "is numbers"), ("color_profile=to=srgb", "has one parameter: profile"),
                        ("color_profile=srgb:2", "takes one value"), ("color_profile=@m", "takes srgb or the name of a file"),
                        ("color_profile[a][b]", "split copies")):
        check_in(said, weft("run", "b.png", graph, "out.png", status=2)[1])
    check_in("none.icc", weft("run", "b.png", "color_profile=none.icc", "out.png", status=1)[1])
    twice = "color_profile is asked for twice, as srgb and as swapped.icc: remove one"
    for graph in (f"color_profile=srgb,{dark}", f"{dark},color_profile=srgb", "color_profile=srgb"):
        option = "[color_profile=swapped.icc]"
        read, written = (option, "") if graph.startswith("color_profile=srgb,") else ("", option)
        check_in(twice, weft("run", "b.png" + read, graph, "out.png" + written, status=2)[1])
    check_in("leave it out", weft("plan", "color_profile=srgb,gaussian=2", status=2)[1])
    check_in("color_profile", weft("list", "profile")[0])
    check_in("--profile srgb", weft("help", "color_profile")[0])
    check(weft("color_profile", "--help")[0] == weft("help", "color_profile")[0])
    for shell in ("bash", "zsh", "fish"):
        check_in("color_profile:profile", weft("generate", shell)[0])
    check_in("color_profile", weft("generate", "man-filters")[0])


def test_color_profiles_of_reduced_decoding():
    """Colors of a JPEG that is decoded smaller are brought to a profile after that: of photographs it hardly shows."""
    if not has_format("jpg"):
        raise tool.Skip("no JPEG")
    wide = {"adobe": ((0.6097559, 0.3111242, 0.0194811), (0.2052401, 0.6256560, 0.0608902), (0.1492240, 0.0632197, 0.7448387), 2.2),
            "p3": ((0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407)),
            "prophoto": ((0.7976749, 0.2880402, 0), (0.1351917, 0.7118741, 0), (0.0313534, 0.0000857, 0.8252100), 1.8)}
    for profile, numbers in wide.items():
        with open(profile + ".icc", "wb") as file:
            file.write(make_profile(*numbers))
    for photo, side in (("photo", 200), ("photo", 100), ("portrait", 100)):
        source = os.path.join(tool.photos, photo + ".jpg")
        for profile in wide:
            status, errors = tool.outcome("convert", source, f"in.jpg[color_profile={profile}.icc,quality=92]")
            if status and "needs Little CMS" in errors:
                raise tool.Skip("no Little CMS")
            check(status == 0, errors)
            graph = f"color_profile=srgb,resize=fit={side}x{side}"
            whole, least = (tool.read_pam(weft("run", "in.jpg" + option, graph, "-", "--device", "cpu", text=False)[0])
                            for option in ("[reduce=off]", ""))
            apart = [abs(a - b) for a, b in zip(whole[4], least[4])]
            check(whole[:4] == least[:4] and max(apart) <= 10 and 0 < sum(apart) < len(apart),
                  f"{photo} of {profile} to {side}: differs by {max(apart)}, {sum(apart) / len(apart):.2f} in the mean")
